/* library.c: functions of a library that is there; what is missing is told. */
#include "base/library.h"

#include "check.h"

int main(void)
{
	double (*cosine)(double) = NULL;
	void *missing = NULL;
	CHECK(crux_library_load("libm.so.6", (crux_library_function[]){{"cos", &cosine}}, 1) && cosine && cosine(0) == 1);
	CHECK(!crux_library_load("libm.so.6", (crux_library_function[]){{"cos", &cosine}, {"no_such_function", &missing}}, 2));
	CHECK(!crux_library_load("libnowhere.so.1", (crux_library_function[]){{"cos", &cosine}}, 1));
	return check_summary();
}
