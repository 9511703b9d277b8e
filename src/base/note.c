/* How far a worker in a process of its own is. */
#include "base/note.h"

#include <stddef.h>

static atomic_int *place_of_note; /* set before a second thread starts */

void crux_note_at(atomic_int *place) { place_of_note = place; }

bool crux_note(int number)
{
	int seen = place_of_note ? atomic_load(place_of_note) : CRUX_NOTE_HALT;
	while (seen >= 0 && !atomic_compare_exchange_weak(place_of_note, &seen, number))
		;
	return seen == CRUX_NOTE_FINISH;
}
