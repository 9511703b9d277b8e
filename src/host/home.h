/* Finds the folder of crux's Lua files. */
#pragma once

#include <limits.h>

#include "crux.h"

/* Writes the absolute path of the folder that holds lua/crux: `given` if it is not NULL, else the first of the places that
 * crux_engine_new names. */
bool crux_home_find(const char *given, char out[PATH_MAX], crux_fault *fault);
