/* Libraries that are loaded when they are first needed: commands that need none start in less time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct crux_library_function {
	const char *name;
	void *pointer; /* address of the function pointer that is set */
} crux_library_function;

/* Loads a library for the rest of the process and sets the pointers to its functions. Returns false if the library, or one of
 * the functions, is missing. */
bool crux_library_load(const char *file, const crux_library_function *functions, size_t count);
