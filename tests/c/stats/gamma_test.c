/* Tests of src/stats/gamma.c: values of mpmath, the duplication formulas, arguments out of range. */
#include "check.h"
#include "stats/gamma.h"

/* loggamma, digamma and polygamma(1) of mpmath 1.3, 40 digits */
static const struct {
	double x, log_gamma, digamma, trigamma;
} values[] = {
	{ 1e-300, 690.7755278982137, -9.999999999999999e+299, INFINITY },
	{ 1e-8, 18.42068073818021, -100000000.57721564, 1.0000000000000002e+16 },
	{ 0.001, 6.907178885383853, -1000.5755719318103, 1000001.6425331958 },
	{ 0.1, 2.252712651734206, -10.423754940411076, 101.43329915079275 },
	{ 0.5, 0.5723649429247001, -1.9635100260214235, 4.934802200544679 },
	{ 1, 0.0, -0.5772156649015329, 1.6449340668482264 },
	{ 1.4616321449683622, -0.12148629053584961, -9.241265521729427e-17, 0.9676722454476212 },
	{ 1.5, -0.12078223763524522, 0.03648997397857652, 0.9348022005446793 },
	{ 2, 0.0, 0.42278433509846713, 0.6449340668482264 },
	{ 3.25, 0.9358019311087253, 1.016990911068179, 0.3597982903095799 },
	{ 7, 6.579251212010101, 1.8727843350984672, 0.15354517795933756 },
	{ 13.999, 22.54956097205424, 2.6028440472236904, 0.07404574853506297 },
	{ 14, 22.552163853123425, 2.6029180902322224, 0.07404026866401034 },
	{ 20.5, 40.8315009745308, 2.9958363947076467, 0.04998959242996099 },
	{ 100, 359.1342053695754, 4.600161852738087, 0.010050166663333571 },
	{ 1234.5, 7550.550901077895, 7.118016231827998, 0.0008103727271269667 },
	{ 1e6, 12815504.569147611, 13.815510057964191, 1.0000005000001667e-06 },
	{ 1e12, 26631021115915.652, 27.63102111592805, 1.0000000000005e-12 },
	{ 1e150, 3.4438776394910686e+152, 345.38776394910684, 1e-150 },
};

/* Relative, or absolute where the value is near 0. */
static bool is_near(double found, double expected)
{
	return found == expected || fabs(found - expected) <= 2e-15 * fmax(fabs(expected), 1);
}

int main(void)
{
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		CHECK(is_near(crux_log_gamma(values[i].x), values[i].log_gamma));
		CHECK(is_near(crux_digamma(values[i].x), values[i].digamma));
		CHECK_NEAR(crux_trigamma(values[i].x), values[i].trigamma, 2e-15);
	}
	for (double x = 0.01; x < 40; x *= 1.1) { /* DLMF 5.5.8 and its derivative */
		CHECK(is_near(crux_digamma(2 * x), (crux_digamma(x) + crux_digamma(x + 0.5)) / 2 + log(2)));
		CHECK_NEAR(crux_trigamma(2 * x), (crux_trigamma(x) + crux_trigamma(x + 0.5)) / 4, 4e-15);
	}
	double const outside[] = {0, -0.0, -1, -0.5, -INFINITY, NAN};
	for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
		CHECK(isnan(crux_log_gamma(outside[i])));
		CHECK(isnan(crux_digamma(outside[i])));
		CHECK(isnan(crux_trigamma(outside[i])));
	}
	CHECK(crux_log_gamma(INFINITY) == INFINITY);
	CHECK(crux_digamma(INFINITY) == INFINITY);
	CHECK(crux_trigamma(INFINITY) == 0);
	return check_summary();
}
