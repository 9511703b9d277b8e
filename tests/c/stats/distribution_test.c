/* Tests of src/stats/distribution.c: values of R and of mpmath, closed forms, symmetries and arguments out of range. */
#include "check.h"
#include "stats/distribution.h"

#include <stdint.h>

static const double tolerance = 1e-12;

/* sprintf("%.17g", 2 * pt(-abs(t), df)) of R 4.2.2 */
static const struct {
	double t, df, p;
} of_t[] = {
	{ 0, 5, 1 }, { 1e-300, 3, 1 }, { 1e-8, 1, 0.99999999363380221 }, { 1e-8, 1e9, 0.99999999202115442 },
	{ 0.1, 0.5, 0.94633162112860636 }, { 0.5, 1, 0.70483276469913358 }, { 1, 1, 0.49999999999999956 },
	{ 1, 2, 0.42264973081037427 }, { -2, 3, 0.13932596855884313 }, { 1.5, 2.5, 0.2478364530862962 },
	{ 1.732, 1e9, 0.083273562748608698 }, { 1.9599639845, 1e9, 0.050000000281977132 },
	{ 2.2281388519649385, 10, 0.050000000001808619 }, { -2.5, 10, 0.031446844236608776 },
	{ 3, 30, 0.005389964065651941 }, { 4.5, 7, 0.0027983300778426272 }, { 5, 100, 2.450173413503796e-06 },
	{ 6.25, 12.5, 3.5442897858115625e-05 }, { 8, 1000, 3.4266614823914848e-15 },
	{ 10, 5, 0.00017094757574296357 }, { 12, 60, 1.3786322641817704e-17 },
	{ 15, 1e4, 2.5833150399391835e-50 }, { 20, 1e6, 5.7330870473904482e-89 },
	{ 25, 200, 1.8539096107492694e-63 }, { 30, 1e9, 9.8154196879674238e-198 },
	{ 35, 1e6, 3.274983632675634e-268 }, { 37, 1e9, 1.1456516857553888e-299 },
	{ 37, 1e5, 1.1974628243424084e-297 }, { 40, 1000, 1.0478852155172875e-209 },
	{ 50, 500, 1.1319912889543452e-196 }, { 100, 50, 2.960898892025221e-59 },
	{ 100, 1, 0.0063659855298165095 }, { 200, 100, 5.548393562549476e-132 },
	{ 1000, 1, 0.00063661956016111774 }, { 1000, 100, 7.9196186079482128e-202 },
	{ 1000, 3.5, 1.1256152128674126e-10 }, { 1e4, 60, 2.26769571797638e-188 },
	{ 1e5, 50, 3.3460604815099998e-209 }, { 1e6, 1, 6.3661977236736911e-07 },
	{ -1e6, 2, 9.9999999999850011e-13 }, { 1e6, 10, 2.4609374998872283e-56 },
	{ 1e6, 40, 1.3784652871234481e-209 }, { 1e6, 50, 3.3460608876221003e-259 },
	{ 1e6, 0.1, 0.20968238936114994 }, { 1e120, 1, 6.3661977236757906e-121 },
	{ 0.7, 0.01, 0.97394481663228516 }, { 3, 0.001, 0.99476847835826843 },
};

/* sprintf("%.17g", pf(f, df1, df2, lower.tail = FALSE)) of R 4.2.2 */
static const struct {
	double f, df1, df2, p;
} of_f[] = {
	{ 0, 2, 3, 1 }, { 1e-12, 1, 5, 0.99999924078662028 }, { 1e-6, 0.1, 7, 0.55991116591639922 },
	{ 0.001, 3, 1e9, 0.99995633737342482 }, { 0.25, 5, 5, 0.92281137475779329 },
	{ 0.5, 1, 1, 0.60817344796939288 }, { 0.9, 2, 1e6, 0.40656998906176162 },
	{ 1, 1, 1, 0.50000000000000044 }, { 1, 4, 4, 0.5 }, { 1, 10, 1e9, 0.44049328594254555 },
	{ 1, 1e6, 1e6, 0.5 }, { 1, 1e9, 1e9, 0.5 }, { 1, 1e9, 1, 0.68268949189511441 },
	{ 0.99995, 1e9, 1e9, 0.78540811849222059 }, { 1.01, 1e6, 1e6, 3.2597907372696257e-07 },
	{ 1.2, 1000, 1000, 0.0019880941301496408 }, { 1.5, 1e9, 1000, 1.1487739475359721e-17 },
	{ 1.5, 100, 200, 0.0081474771902914373 }, { 2, 3, 20, 0.14643880308662147 },
	{ 2.5, 1.5, 2.5, 0.24474348933946408 }, { 2.75, 50, 1e9, 4.2239164162101524e-10 },
	{ 3, 0.01, 100, 0.018091571368329153 }, { 3, 1, 1e9, 0.083264516971911284 },
	{ 3, 1e6, 50, 2.3731886411239321e-06 }, { 3.5, 2, 1000, 0.030567838009131692 },
	{ 4, 100, 1e9, 1.6928366753378329e-37 }, { 4.26, 2, 9, 0.049910030381548988 },
	{ 5, 6, 7, 0.026552266920701183 }, { 7, 20, 20, 2.9201603031020542e-05 },
	{ 8, 1e9, 30, 1.651628744325107e-09 }, { 10, 3, 96, 8.5036322761141266e-06 },
	{ 10, 1000, 60, 8.5155172306827475e-20 }, { 20, 5, 1e6, 5.2976017698675107e-20 },
	{ 25, 1e9, 2, 0.039210560846139587 }, { 50, 4, 60, 1.8920737374805304e-18 },
	{ 75, 10, 1e6, 1.3178814486735085e-154 }, { 100, 1, 1000, 1.6670702958600081e-22 },
	{ 100, 14, 1e9, 1.625776196593961e-290 }, { 150, 0.02, 1e4, 0.001014104120837804 },
	{ 200, 3, 500, 3.2772069980690879e-85 }, { 300, 1, 1e6, 3.36981509149083e-67 },
	{ 1300, 1, 1e9, 1.1308512619368212e-284 }, { 400, 2, 1e6, 2.2472806804000674e-174 },
	{ 1000, 7, 7, 5.8579929390866727e-10 }, { 1000, 40, 200, 2.1417169462585357e-209 },
	{ 1e4, 4, 100, 3.5423253918315774e-129 }, { 1e6, 1, 1, 0.00063661956016111774 }, { 1e6, 1e6, 1000, 0 },
	{ 1e6, 2, 90, 2.4756183511538382e-196 }, { 1e6, 10, 0.5, 0.024204496823738306 },
	{ 1e9, 1e6, 60, 7.7688257898059218e-259 }, { 1e12, 3, 50, 2.0140611298626718e-269 },
	{ 1e30, 2, 20, 1.0000000000000323e-290 }, { 1e100, 5, 6, 1.1340000000000154e-299 },
	{ 1e250, 3, 2, 1.0000000000000008e-250 },
}, of_f_by_mpmath[] = { /* where R 4.2.2 is off, by 4e-13 to 1e-2: DLMF 8.17.22 with 45 digits in mpmath 1.3.0 */
	{ 1.0002, 1e9, 1e8, 0.088799012538436554391 }, { 1.00001, 1e9, 1e9, 0.43718384206839249659 },
	{ 1.0012, 1e9, 1e9, 1.7479227949667502938e-80 }, { 1.05, 1e6, 1e6, 9.9336861806989247906e-132 },
	{ 48, 31, 3.36e7, 1.0310787826069806491e-293 }, { 66.25, 51, 1000, 2.9844969802923069487e-282 },
	{ 20.75, 71, 8.8e8, 6.1408336546751851445e-261 }, { 159, 29, 740, 4.4200318784806965698e-295 },
	{ 39.5, 37, 2e7, 3.9914561738092807023e-283 }, { 1e300, 1e9, 1.5, 8.7690165268707506915e-226 },
};

static void check_tables(void)
{
	for (size_t i = 0; i < sizeof of_t / sizeof *of_t; i++)
		CHECK_NEAR(crux_t_two_sided(of_t[i].t, of_t[i].df), of_t[i].p, tolerance);
	for (size_t i = 0; i < sizeof of_f / sizeof *of_f; i++)
		CHECK_NEAR(crux_f_upper(of_f[i].f, of_f[i].df1, of_f[i].df2), of_f[i].p, tolerance);
	for (size_t i = 0; i < sizeof of_f_by_mpmath / sizeof *of_f_by_mpmath; i++)
		CHECK_NEAR(crux_f_upper(of_f_by_mpmath[i].f, of_f_by_mpmath[i].df1, of_f_by_mpmath[i].df2),
		           of_f_by_mpmath[i].p, tolerance);
}

/* sprintf("%.17g", 2 * pnorm(-abs(z))) of R 4.2.2 */
static void check_normal(void)
{
	CHECK(crux_normal_two_sided(0) == 1 && crux_normal_two_sided(-INFINITY) == 0 && isnan(crux_normal_two_sided(NAN)));
	CHECK_NEAR(crux_normal_two_sided(-1.96), 0.049995790296440856, tolerance);
	CHECK_NEAR(crux_normal_two_sided(0.1), 0.92034432544594202, tolerance);
	CHECK_NEAR(crux_normal_two_sided(30), 9.8134278542963744e-198, tolerance);
}

/* The logarithm of the lower tail and its slope: pnorm(z, log.p = TRUE) and dnorm(z) / pnorm(z) of R 4.2.2; far out the first
 * terms of Laplace's fraction. */
static void check_lower_tails(void)
{
	static const struct {
		double z, logarithm, slope;
	} of_z[] = {
		{ -37, -689.03058557689064, 37.026987686126986 },
		{ -10, -53.23128515051247, 10.098093233962512 },
		{ -5.5, -17.77937635262526, 5.6714103138973053 },
		{ -5, -15.064998393988725, 5.1865039671258417 },
		{ -4.9000000000000004, -14.551182689355313, 5.0898286001298798 },
		{ -1, -1.8410216450092636, 1.5251352761609813 },
		{ -1.0000000000000001e-09, -0.69314718135782982, 0.79788456143948516 },
		{ 0, -0.69314718055994529, 0.79788456080286541 },
		{ 0.5, -0.36894641528865652, 0.50916043383703358 },
		{ 3, -0.0013508099647481938, 0.0044378390421256639 },
		{ 9, -1.1285884059538408e-19, 1.0279773571668917e-18 },
		{ 30, -4.9067139271481872e-198, 1.4736461348785476e-196 },
		{ -1000, -500007.82669481216, 1000.00099999800001 }, { -1e6, -500000000014.73444, 1000000.000001 },
	};
	for (size_t i = 0; i < sizeof of_z / sizeof *of_z; i++) {
		CHECK_NEAR(crux_normal_log_lower(of_z[i].z), of_z[i].logarithm, tolerance);
		CHECK_NEAR(crux_normal_lower_slope(of_z[i].z), of_z[i].slope, tolerance);
	}
	CHECK(crux_normal_log_lower(40) == 0 && isnan(crux_normal_log_lower(NAN)) && isnan(crux_normal_lower_slope(NAN)));
}

static void check_bad_arguments(void)
{
	static const double bad_df[] = { 0, -0.0, -1, -1e-300, -INFINITY, INFINITY, 1.1e9, NAN };
	for (size_t i = 0; i < sizeof bad_df / sizeof *bad_df; i++) {
		CHECK(isnan(crux_t_two_sided(1, bad_df[i])));
		CHECK(isnan(crux_t_two_sided(INFINITY, bad_df[i])));
		CHECK(isnan(crux_f_upper(1, bad_df[i], 5)));
		CHECK(isnan(crux_f_upper(1, 5, bad_df[i])));
		CHECK(isnan(crux_f_upper(0, bad_df[i], 5)));
	}
	CHECK(isnan(crux_t_two_sided(NAN, 5)));
	CHECK(isnan(crux_f_upper(NAN, 5, 5)));
}

static void check_ends(void)
{
	static const double dfs[] = { 1e-310, 1e-90, 1e-20, 1e-4, 0.5, 1, 2, 3.5, 10, 1e4, 1e9 };
	size_t const n = sizeof dfs / sizeof *dfs;
	for (size_t i = 0; i < n; i++) {
		CHECK(crux_t_two_sided(0, dfs[i]) == 1);
		CHECK(crux_t_two_sided(-0.0, dfs[i]) == 1);
		CHECK(crux_t_two_sided(INFINITY, dfs[i]) == 0);
		CHECK(crux_t_two_sided(-INFINITY, dfs[i]) == 0);
		for (size_t j = 0; j < n; j++) {
			CHECK(crux_f_upper(0, dfs[i], dfs[j]) == 1);
			CHECK(crux_f_upper(-1, dfs[i], dfs[j]) == 1);
			CHECK(crux_f_upper(-INFINITY, dfs[i], dfs[j]) == 1);
			CHECK(crux_f_upper(INFINITY, dfs[i], dfs[j]) == 0);
			for (double f = 5e-324; f < INFINITY; f *= 1e7) {
				double const p = crux_f_upper(f, dfs[i], dfs[j]);
				CHECK(p >= 0 && p <= 1);
			}
		}
	}
}

/* Uniform in (low, high). */
static double uniform(double low, double high)
{
	static uint64_t state = 20240229;
	return low + (high - low) * ((double)(check_word(&state) >> 11) + 0.5) / 9007199254740992.0;
}

static double log_uniform(double low, double high)
{
	return pow(10, uniform(log10(low), log10(high)));
}

static void check_closed_forms(void)
{
	double const half_pi = acos(0);
	for (int i = 0; i < 2000; i++) {
		double const t = log_uniform(1e-6, 1e6), f = log_uniform(1e-6, 1e6);
		double const root = sqrt(2 + t * t);
		CHECK_NEAR(crux_t_two_sided(t, 1), atan(1 / t) / half_pi, tolerance);
		CHECK_NEAR(crux_t_two_sided(-t, 2), 2 / (root * (root + t)), tolerance);
		CHECK_NEAR(crux_f_upper(f, 1, 1), atan(1 / sqrt(f)) / half_pi, tolerance);

		double const df = log_uniform(0.01, 1e9);
		double const exponent = uniform(0, 690); /* of e, for tails down to 1e-300 */
		double const tail_f = df / 2 * expm1(exponent * 2 / df);
		if (tail_f < 1e300)
			CHECK_NEAR(crux_f_upper(tail_f, 2, df), exp(-exponent), tolerance);
		CHECK_NEAR(crux_f_upper(f, df, 2), -expm1(-df / 2 * log1p(2 / (df * f))), tolerance);
	}
}

static void check_symmetries(void)
{
	for (int i = 0; i < 2000; i++) {
		double const df1 = log_uniform(0.01, 1e9), df2 = log_uniform(0.01, 1e9);
		double const spread = fmin(sqrt(2 / df1 + 2 / df2), 20), f = exp(uniform(-6, 6) * spread);
		double const p = crux_f_upper(f, df1, df2);
		CHECK(p >= 0 && p <= 1);
		/* 1 / f is rounded, which near 1 moves the probability by the rounding over the spread. */
		CHECK(fabs(p + crux_f_upper(1 / f, df2, df1) - 1) <= 1e-14 + 1e-16 / spread);
		CHECK(crux_f_upper(f * (1 + 1e-3 * spread), df1, df2) <= p);

		double const t = log_uniform(1e-3, 1e3);
		CHECK_NEAR(crux_f_upper(t * t, 1, df2), crux_t_two_sided(t, df2), tolerance);
		CHECK(crux_t_two_sided(-t, df2) == crux_t_two_sided(t, df2));
	}
}

/* From t = 1e100 and f = 1e200 on the tail is continued as a power. */
static void check_power_tails(void)
{
	for (double df = 0.5; df <= 2.5; df += 0.5) {
		CHECK_NEAR(crux_t_two_sided(2e100, df), crux_t_two_sided(1e100, df) * pow(2, -df), tolerance);
		CHECK_NEAR(crux_f_upper(4e200, 1, df), crux_t_two_sided(2e100, df), tolerance);
	}
}

int main(void)
{
	check_tables();
	check_normal();
	check_lower_tails();
	check_bad_arguments();
	check_ends();
	check_closed_forms();
	check_symmetries();
	check_power_tails();
	return check_summary();
}
