/* Names and their numbers, by an open-addressing table that is at most half full. */
#include "files/names.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/block.h"

struct crux_names {
	char *bytes; /* each name ended by '\0' */
	size_t used, room;
	size_t *starts; /* starts[i - 1] of name i, starts[count] the end */
	size_t count, starts_room;
	uint32_t *slots; /* numbers, 0 where empty */
	size_t slot_count;
};

enum { FIRST_ROOM = 64 };

crux_names *crux_names_new(void)
{
	crux_names *const names = calloc(1, sizeof *names);
	if (!names)
		return NULL;
	names->room = names->starts_room = FIRST_ROOM;
	names->slot_count = 2 * FIRST_ROOM;
	names->bytes = malloc(names->room);
	names->starts = calloc(names->starts_room, sizeof *names->starts);
	names->slots = calloc(names->slot_count, sizeof *names->slots);
	if (names->bytes && names->starts && names->slots)
		return names;
	crux_names_free(names);
	return NULL;
}

void crux_names_free(crux_names *names)
{
	if (!names)
		return;
	free(names->bytes);
	free(names->starts);
	free(names->slots);
	free(names);
}

size_t crux_names_count(const crux_names *names) { return names->count; }

const char *crux_names_get(const crux_names *names, uint32_t number, size_t *length)
{
	size_t const start = names->starts[number - 1];
	*length = names->starts[number] - start - 1;
	return names->bytes + start;
}

/* The slot that holds the number of that text, or the empty one where it belongs. */
static uint32_t *find(const crux_names *names, const char *text, size_t length)
{
	size_t const mask = names->slot_count - 1;
	size_t at = XXH3_64bits(text, length) & mask;
	for (; names->slots[at]; at = (at + 1) & mask) {
		size_t found;
		const char *const name = crux_names_get(names, names->slots[at], &found);
		if (found == length && memcmp(name, text, length) == 0)
			break;
	}
	return &names->slots[at];
}

static int grow_slots(crux_names *names)
{
	uint32_t *const slots = calloc(2 * names->slot_count, sizeof *slots);
	if (!slots)
		return 0;
	free(names->slots);
	names->slots = slots;
	names->slot_count *= 2;
	for (uint32_t i = 1; i <= names->count; i++) {
		size_t length;
		const char *const name = crux_names_get(names, i, &length);
		*find(names, name, length) = i;
	}
	return 1;
}

/* Makes room for one more name; returns 0 without memory. */
static int reserve(crux_names *names, size_t length)
{
	return crux_array_grow(CRUX_ARRAY(names->starts, names->count + 2), &names->starts_room) &&
	       crux_array_grow(CRUX_ARRAY(names->bytes, names->used + length + 1), &names->room) &&
	       (2 * (names->count + 1) <= names->slot_count || grow_slots(names));
}

uint32_t crux_names_number(crux_names *names, const char *text, size_t length)
{
	uint32_t const known = *find(names, text, length);
	if (known)
		return known;
	if (names->count == UINT32_MAX || !reserve(names, length))
		return 0;
	memcpy(names->bytes + names->used, text, length);
	names->used += length;
	names->bytes[names->used++] = '\0';
	names->starts[++names->count] = names->used;
	*find(names, text, length) = (uint32_t)names->count;
	return (uint32_t)names->count;
}
