/* How far a worker in a process of its own is: a number that it notes, in memory that it shares with who gave it an item. */
#pragma once

#include <stdatomic.h>

/* Where this process notes its numbers; NULL, as at first: nowhere. */
void crux_note_at(atomic_int *place);

/* Notes a number. */
void crux_note(int number);
