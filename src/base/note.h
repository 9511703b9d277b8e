/* How far a worker in a process of its own is: a number that it notes, in memory that it shares with who gave it an item. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

/* Written by who gave the item: the process is to be ended, or to answer soon with what it has. */
enum { CRUX_NOTE_HALT = -1, CRUX_NOTE_FINISH = -2 };

/* Where this process notes its numbers; NULL, as at first: nowhere. */
void crux_note_at(atomic_int *place);

/* Notes a number, from 0 on, unless something was written; true if the process is to answer soon. */
bool crux_note(int number);
