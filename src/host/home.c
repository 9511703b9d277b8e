/* Finds the folder of crux's Lua files, in the source tree or installed. */
#include "host/home.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fault.h"

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

/* Writes the path of the file that holds this code, library or program: an absolute path, from the kernel. dladdr may return a
 * path that is relative to the current folder, as the program was started by it. */
static bool find_own_file(char out[PATH_MAX])
{
	uintptr_t const own = (uintptr_t)crux_home_find;
	FILE *const mappings = fopen("/proc/self/maps", "re");
	char line[PATH_MAX + 100]; /* addresses, rights, offset, device and inode, then the path */
	bool found = false;
	while (mappings && !found && fgets(line, sizeof line, mappings)) {
		uintptr_t from, to;
		int path = 0;
		bool const is_read = sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %*s %n", &from, &to, &path) == 2;
		found = is_read && from <= own && own < to && line[path] == '/';
		if (found)
			snprintf(out, PATH_MAX, "%s", line + path);
	}
	if (mappings)
		fclose(mappings);
	return found;
}

/* Writes the path of the program's file. */
static bool find_program(char out[PATH_MAX])
{
	ssize_t const length = readlink("/proc/self/exe", out, PATH_MAX - 1);
	out[length > 0 ? length : 0] = '\0';
	return *out == '/';
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
	if ((find_own_file(file) && is_near(file, out)) || (find_program(file) && is_near(file, out)) ||
	    is_home(CRUX_DATADIR, "/crux", out))
		return true;
	crux_fault_set(fault, "found no lua/crux beside the program or in " CRUX_DATADIR "/crux, expected crux's Lua files "
	                      "(set CRUX_HOME to the folder that holds lua/)");
	return false;
}
