/* Finds the folder of crux's Lua files, from the source tree as well as installed. */
#include "host/home.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fault.h"

#ifndef CRUX_DATADIR
#define CRUX_DATADIR "/usr/local/share"
#endif

enum { HEIGHT = 5 }; /* folders from a prefix down to a file, as in lib/x86_64-linux-gnu/lua/5.4/crux.so */

/* Whether folder/rest is a home; if so, writes its absolute path. */
static bool is_home(const char *folder, const char *rest, char out[PATH_MAX])
{
	char path[PATH_MAX];
	int const length = snprintf(path, sizeof path, "%s%s/lua/crux/rule/rule.lua", folder, rest);
	if (length < 0 || (size_t)length >= sizeof path || access(path, R_OK) != 0)
		return false;
	path[(size_t)length - strlen("/lua/crux/rule/rule.lua")] = '\0';
	return realpath(path, out) != NULL;
}

/* Whether the folder of the file `binary` is a home, or a prefix that it is installed in has one. */
static bool near_binary(const char *binary, char out[PATH_MAX])
{
	char folder[PATH_MAX];
	if (!realpath(binary, folder))
		return false;
	*strrchr(folder, '/') = '\0';
	bool found = is_home(folder, "", out);
	for (int i = 1; !found && i < HEIGHT && *folder; i++) {
		*strrchr(folder, '/') = '\0';
		found = is_home(folder, "/share/crux", out);
	}
	return found;
}

bool crux_home_find(const char *given, char out[PATH_MAX], crux_fault *fault)
{
	const char *const chosen = given ? given : getenv("CRUX_HOME");
	Dl_info library;
	if (chosen) {
		if (is_home(chosen, "", out))
			return true;
		crux_fault_set(fault, "%s: found no lua/crux in it, expected the home folder of crux", chosen);
		return false;
	}
	if ((dladdr(CRUX_VERSION, &library) && near_binary(library.dli_fname, out)) || near_binary("/proc/self/exe", out) ||
	    is_home(CRUX_DATADIR, "/crux", out))
		return true;
	crux_fault_set(fault, "found no lua/crux beside the program or in " CRUX_DATADIR "/crux, expected crux's Lua files "
	                      "(set CRUX_HOME to the folder that holds lua/)");
	return false;
}
