/* Digests of bytes and of files, by XXH3. */
#include "files/digest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/fault.h"

enum { BLOCK = 1 << 16 }; /* bytes that are read at a time */

static void to_text(XXH128_hash_t hash, char digest[33])
{
	snprintf(digest, 33, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

void crux_digest(const char *data, size_t size, char digest[33])
{
	to_text(XXH3_128bits(data, size), digest);
}

static bool digest_stream(FILE *file, XXH3_state_t *state)
{
	char block[BLOCK];
	size_t n;
	XXH3_128bits_reset(state);
	while ((n = fread(block, 1, sizeof block, file)) > 0)
		XXH3_128bits_update(state, block, n);
	return !ferror(file);
}

bool crux_digest_file(const char *path, char digest[33], crux_fault *fault)
{
	FILE *file = fopen(path, "rb");
	XXH3_state_t *state = file ? XXH3_createState() : NULL;
	bool const done = state && digest_stream(file, state);
	if (done)
		to_text(XXH3_128bits_digest(state), digest);
	else
		crux_fault_set(fault, "%s", strerror(errno));
	XXH3_freeState(state);
	if (file)
		fclose(file);
	return done;
}
