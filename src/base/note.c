/* How far a worker in a process of its own is. */
#include "base/note.h"

#include <stddef.h>

static atomic_int *place_of_note; /* set before a second thread starts */

void crux_note_at(atomic_int *place) { place_of_note = place; }

void crux_note(int number)
{
	if (place_of_note)
		atomic_store(place_of_note, number);
}
