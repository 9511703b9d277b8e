/* The least value of a smooth function; see quasi_newton.h. */
#include "fit/quasi_newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/block.h"

/* The share of the value that rounding may hide, and that of the expected gain which a step must reach (Armijo 1966). */
static double const hidden = 1e-11, enough = 1e-4;

typedef struct state {
	size_t n;
	double *x, *gradient, *next, *next_gradient, *step, *change, *product;
	double *metric; /* approximates the inverse of the second derivatives */
} state;

static double dot(const double *a, const double *b, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

static void reset(state *s)
{
	for (size_t i = 0; i < s->n * s->n; i++)
		s->metric[i] = i % (s->n + 1) == 0;
}

/* Sets the step, of the variables that are not held by a bound; returns the slope along it. */
static double direct(const crux_smooth *function, state *s)
{
	for (size_t i = 0; i < s->n; i++) {
		bool const is_held = s->x[i] <= function->low[i] && s->gradient[i] >= 0;
		s->product[i] = is_held ? 0 : s->gradient[i];
		s->step[i] = is_held ? 0 : 1;
	}
	for (size_t i = 0; i < s->n; i++)
		s->step[i] = s->step[i] == 0 ? 0 : -dot(s->metric + i * s->n, s->product, s->n);
	return dot(s->step, s->gradient, s->n);
}

/* Updates the metric by the last change of the variables and of the gradient. Where the function curves down, it allows longer steps. */
static void learn(state *s)
{
	size_t const n = s->n;
	for (size_t i = 0; i < n; i++) {
		s->change[i] = s->next[i] - s->x[i];
		s->step[i] = s->next_gradient[i] - s->gradient[i];
	}
	double const curvature = dot(s->change, s->step, n);
	if (!(curvature > 1e-12 * dot(s->change, s->change, n))) {
		for (size_t i = 0; i < n * n; i++)
			s->metric[i] *= 4;
		return;
	}
	for (size_t i = 0; i < n; i++)
		s->product[i] = dot(s->metric + i * n, s->step, n);
	double const both = 1 + dot(s->step, s->product, n) / curvature;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			s->metric[i + j * n] += (both * s->change[i] * s->change[j] - s->change[i] * s->product[j] - s->product[i] * s->change[j]) /
			                        curvature;
}

/* Goes along the step, less far until the value falls. Sets `next`, its gradient and value; false where none does. */
static bool go(const crux_smooth *function, state *s, double slope, double *value, size_t *evaluations)
{
	double share = 1;
	for (size_t tries = 0; tries < 40 && *evaluations < function->most_evaluations; tries++) {
		for (size_t i = 0; i < s->n; i++) {
			s->next[i] = fmax(s->x[i] + share * s->step[i], function->low[i]);
			s->change[i] = s->next[i] - s->x[i];
		}
		(*evaluations)++;
		double const there = function->evaluate(function->context, s->next, NULL);
		bool const is_less = there <= *value + enough * dot(s->gradient, s->change, s->n);
		if (is_less || fabs(there - *value) <= hidden * fabs(*value)) {
			function->evaluate(function->context, s->next, s->next_gradient);
			if (is_less || fabs(dot(s->next_gradient, s->change, s->n)) <= fabs(dot(s->gradient, s->change, s->n))) {
				*value = there;
				return true;
			}
		}
		double const curved = 2 * (there - *value - share * slope); /* of the parabola through what is known */
		share *= isfinite(curved) && curved > 0 ? fmin(fmax(-share * slope / curved, 0.1), 0.5) : 0.1;
	}
	return false;
}

static crux_smooth_status run(const crux_smooth *function, state *s, double *value)
{
	size_t evaluations = 1;
	*value = function->evaluate(function->context, s->x, NULL);
	function->evaluate(function->context, s->x, s->gradient);
	reset(s);
	for (bool is_reset = true;;) {
		double const slope = direct(function, s);
		double longest = 0;
		for (size_t i = 0; i < s->n; i++)
			longest = fmax(longest, fabs(s->step[i]));
		if (longest <= function->precision)
			return CRUX_SMOOTH_CONVERGED;
		if (slope < 0 && go(function, s, slope, value, &evaluations)) {
			learn(s);
			memcpy(s->x, s->next, s->n * sizeof *s->x);
			memcpy(s->gradient, s->next_gradient, s->n * sizeof *s->gradient);
			is_reset = false;
		} else if (is_reset || evaluations >= function->most_evaluations) {
			return CRUX_SMOOTH_LIMIT;
		} else {
			reset(s);
			is_reset = true;
		}
	}
}

crux_smooth_status crux_quasi_newton(const crux_smooth *function, double *variables, double *value)
{
	size_t const n = function->variables;
	state s = {.n = n};
	crux_array const arrays[] = {
		CRUX_ARRAY(s.x, n),      CRUX_ARRAY(s.gradient, n), CRUX_ARRAY(s.next, n),    CRUX_ARRAY(s.next_gradient, n),
		CRUX_ARRAY(s.change, n), CRUX_ARRAY(s.step, n),     CRUX_ARRAY(s.product, n), CRUX_ARRAY(s.metric, n * n),
	};
	void *const block = crux_block_new(arrays, sizeof arrays / sizeof *arrays);
	if (!block)
		return CRUX_SMOOTH_NO_MEMORY;
	memcpy(s.x, variables, n * sizeof *variables);
	crux_smooth_status const status = run(function, &s, value);
	memcpy(variables, s.x, n * sizeof *variables);
	free(block);
	return status;
}
