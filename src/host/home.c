/* Finds the folder of crux's Lua files, in the source tree or installed. */
#include "host/home.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fault.h"
#include "port/port.h"

#ifndef CRUX_DATADIR
#define CRUX_DATADIR "/usr/local/share"
#endif

enum { HEIGHT = 5 }; /* folders from a prefix down to a file, as in lib/x86_64-linux-gnu/lua/5.4/crux.so */

/* If folder/rest is a home, writes its absolute path and returns true. */
static bool is_home(const char *folder, const char *rest, char out[PATH_MAX])
{
	char path[PATH_MAX];
	int const length = snprintf(path, sizeof path, "%s%s/lua/crux/rule/rule.lua", folder, rest);
	if (length < 0 || (size_t)length >= sizeof path || access(path, R_OK) != 0)
		return false;
	path[(size_t)length - strlen("/lua/crux/rule/rule.lua")] = '\0';
	return realpath(path, out) != NULL;
}

/* Looks for a home in the folder of a file, and in share/crux of each prefix above it. Overwrites the file's absolute path. */
static bool is_near(char file[PATH_MAX], char out[PATH_MAX])
{
	*strrchr(file, '/') = '\0';
	bool found = is_home(file, "", out);
	for (int i = 1; !found && i < HEIGHT && *file; i++) {
		*strrchr(file, '/') = '\0';
		found = is_home(file, "/share/crux", out);
	}
	return found;
}

bool crux_home_find(const char *given, char out[PATH_MAX], crux_fault *fault)
{
	const char *const chosen = given ? given : getenv("CRUX_HOME");
	char file[PATH_MAX];
	if (chosen) {
		if (is_home(chosen, "", out))
			return true;
		crux_fault_set(fault, "%s: found no lua/crux in it, expected the home folder of crux", chosen);
		return false;
	}
	if ((crux_port_file_of((const void *)(uintptr_t)crux_home_find, file) && is_near(file, out)) ||
	    (crux_port_program(file) && is_near(file, out)) || is_home(CRUX_DATADIR, "/crux", out))
		return true;
	crux_fault_set(fault, "found no lua/crux beside the program or in " CRUX_DATADIR "/crux, expected crux's Lua files "
	                      "(set CRUX_HOME to the folder that holds lua/)");
	return false;
}
