/* Libraries that are loaded when they are first needed. */
#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

bool crux_library_load(const char *file, const crux_library_function *functions, size_t count)
{
	void *const library = dlopen(file, RTLD_LAZY | RTLD_NODELETE);
	bool found = library != NULL;
	for (size_t i = 0; found && i < count; i++) {
		void *const function = dlsym(library, functions[i].name);
		memcpy(functions[i].pointer, &function, sizeof function);
		found = function != NULL;
	}
	if (library)
		dlclose(library);
	return found;
}
