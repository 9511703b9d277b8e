/* What crux needs of LAPACK 3.11 that is written in newer Fortran than f2c knows. */
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <f2c.h> /* last, as it makes macros of common words */

/* Blue's algorithm, as BLAS/SRC/dnrm2.f90 has it: the squares of numbers below `small` and above `big` are summed apart, scaled. */
static const double small = 0x1p-511, big = 0x1p486, up = 0x1p537, down = 0x1p-538;

/* The Euclidean norm of *n numbers, from x on in steps of *step. */
doublereal dnrm2_(integer *n, doublereal *x, integer *step)
{
	double sum_of_small = 0, sum = 0, sum_of_big = 0;
	const double *at = *step < 0 ? x - (*n - 1) * *step : x;
	for (integer i = 0; i < *n; i++, at += *step) {
		double const size = fabs(*at);
		if (size > big)
			sum_of_big += (size * down) * (size * down);
		else if (!(size < small))
			sum += size * size;
		else if (sum_of_big == 0)
			sum_of_small += (size * up) * (size * up);
	}
	bool const has_sum = sum > 0 || isnan(sum);
	if (sum_of_big > 0)
		return 1 / down * sqrt(has_sum ? sum_of_big + (sum * down) * down : sum_of_big);
	if (sum_of_small > 0 && !has_sum)
		return 1 / up * sqrt(sum_of_small);
	if (sum_of_small > 0) {
		double const one = sqrt(sum), other = sqrt(sum_of_small) / up;
		double const least = other > one ? one : other, most = other > one ? other : one;
		return sqrt(most * most * (1 + (least / most) * (least / most)));
	}
	return sqrt(sum);
}

/* INSTALL/dlamch.f: a number of the machine by its letter. */
doublereal dlamch_(char *letter, ftnlen length)
{
	(void)length;
	switch (*letter) {
	case 'E': return DBL_EPSILON / 2;
	case 'P': return DBL_EPSILON;
	case 'S': case 'U': return DBL_MIN;
	case 'O': return DBL_MAX;
	default: abort();
	}
}

/* SRC/dlassq.f90: dlanst calls it for norms that dsterf does not ask for. */
void dlassq_(integer *n, doublereal *x, integer *step, doublereal *scale, doublereal *sum)
{
	(void)n, (void)x, (void)step, (void)scale, (void)sum;
	abort();
}

/* SRC/xerbla.f: a wrong argument is a mistake of crux. */
void xerbla_(char *name, integer *argument, ftnlen length)
{
	(void)name, (void)argument, (void)length;
	abort();
}

/* LAPACKE/utils/lapacke_lsame.c calls LSAME with two lengths too many: whether two letters are the same, in any case. */
integer LAPACKE_lsame(char one, char other) { return toupper(one) == toupper(other); }
