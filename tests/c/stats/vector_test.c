/* vector.c: arithmetic element by element. */
#include "stats/vector.h"

#include "check.h"

int main(void)
{
	static const struct {
		crux_vector_operator op;
		double expected[3];
	} cases[] = {
	    {CRUX_VECTOR_ADD, {4, 1, -6}},     {CRUX_VECTOR_SUBTRACT, {2, 5, 0}},      {CRUX_VECTOR_MULTIPLY, {3, -6, 9}},
	    {CRUX_VECTOR_DIVIDE, {3, -1.5, 1}}, {CRUX_VECTOR_POWER, {3, 1.0 / 9, -1.0 / 27}},
	};
	double const a[] = {3, 3, -3}, b[] = {1, -2, -3}, two = 2;
	double out[3];
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		crux_vector_combine(cases[i].op, 3, a, 1, b, 1, out);
		for (size_t j = 0; j < 3; j++)
			CHECK_NEAR(out[j], cases[i].expected[j], 1e-15);
	}
	crux_vector_combine(CRUX_VECTOR_POWER, 3, b, 1, &two, 0, out);
	CHECK(out[0] == 1 && out[1] == 4 && out[2] == 9);
	crux_vector_combine(CRUX_VECTOR_SUBTRACT, 3, &two, 0, b, 1, out);
	CHECK(out[0] == 1 && out[1] == 4 && out[2] == 5);
	crux_vector_map(sqrt, 3, b, out);
	CHECK(out[0] == 1 && isnan(out[1]) && isnan(out[2]));
	CHECK(crux_vector_first_nonfinite(3, out) == 1);
	crux_vector_combine(CRUX_VECTOR_MINIMUM, 3, a, 1, b, 1, out);
	CHECK(out[0] == 1 && out[1] == -2 && out[2] == -3);
	crux_vector_combine(CRUX_VECTOR_MAXIMUM, 3, (double[]){NAN, 1, 5}, 1, (double[]){1, NAN, 2}, 1, out);
	CHECK(isnan(out[0]) && isnan(out[1]) && out[2] == 5);
	crux_vector_combine(CRUX_VECTOR_EQUAL, 3, (double[]){2, NAN, INFINITY}, 1, &two, 0, out);
	CHECK(out[0] == 1 && isnan(out[1]) && isnan(out[2]));
	crux_vector_combine(CRUX_VECTOR_EQUAL, 3, a, 1, &two, 0, out);
	CHECK(out[0] == 0 && out[2] == 0);
	CHECK(crux_vector_sum(5, (double[]){1, 1e100, 1, -1e100, 0.5}) == 2.5); /* Neumaier's example */
	CHECK(crux_vector_sum(0, a) == 0 && isinf(crux_vector_sum(2, (double[]){1, INFINITY})));
	CHECK(crux_vector_first_nonfinite(3, a) == 3);
	CHECK(crux_vector_first_nonfinite(2, (double[]){1, INFINITY}) == 1);
	return check_summary();
}
