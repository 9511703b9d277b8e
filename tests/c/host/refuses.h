/* REFUSES: a call of crux.h, to which `fault` is passed, returns nothing and says the expected message. */
#pragma once

#include <string.h>

#include "check.h"
#include "crux.h"

#define REFUSES(call, expected) \
	do { \
		crux_fault fault = {"unchanged"}; \
		CHECK(!(call)); \
		CHECK(strcmp(fault.message, expected) == 0); \
		if (strcmp(fault.message, expected) != 0) \
			printf("  found: %s\n", fault.message); \
	} while (false)
