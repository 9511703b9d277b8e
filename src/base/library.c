/* Libraries that are loaded when they are first needed. */
#include "base/library.h"

#include <string.h>

#include "port/port.h"

bool crux_library_load(const char *file, const crux_library_function *functions, size_t count)
{
	void *const library = crux_port_library(file);
	bool found = library != NULL;
	for (size_t i = 0; found && i < count; i++) {
		void *const function = crux_port_function(library, functions[i].name);
		memcpy(functions[i].pointer, &function, sizeof function);
		found = function != NULL;
	}
	return found;
}
