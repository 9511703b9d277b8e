/* How far a worker in a process of its own is: a number that it notes, in memory that it shares with who gave it an item. */
#pragma once

#include <stdatomic.h>

enum { CRUX_NOTE_HALT = -1 }; /* written by who gave the item: the process is to be ended */

/* Where this process notes its numbers; NULL, as at first: nowhere. */
void crux_note_at(atomic_int *place);

/* Notes a number, from 0 on, unless the process is to be ended. */
void crux_note(int number);
