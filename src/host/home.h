/* Where crux's Lua files are. */
#ifndef CRUX_HOME_H
#define CRUX_HOME_H

#include <limits.h>

#include "crux.h"

/* Writes the absolute path of the folder that holds lua/crux into out: `given` if it is not NULL, else the first of
 * the places that crux_engine_new names. */
bool crux_home_find(const char *given, char out[PATH_MAX], crux_fault *fault);

#endif
