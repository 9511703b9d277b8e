/* linear_program.c: programs solved by hand, every status, and random programs against all their vertices. */
#include "fit/linear_program.h"

#include <limits.h>
#include <stdbool.h>

#include "check.h"

enum { VARIABLES = 3, ROWS = 3, PLANES = 2 * (VARIABLES + ROWS) };

/* Hillier and Lieberman's Wyndor Glass: 3x + 5y at most, by x = 2, y = 6. */
static void test_known(double unit, double money)
{
	double const plants[3][2] = {{unit, 0}, {0, 2 * unit}, {3 * unit, 2 * unit}};
	const double *const matrix[] = {plants[0], plants[1], plants[2]};
	crux_linear_program const program = {
		.variables = 2,
		.rows = 3,
		.matrix = matrix,
		.objective = (double[]){-3 * money, -5 * money},
		.lower = (double[]){0, 0},
		.upper = (double[]){INFINITY, INFINITY},
		.row_lower = (double[]){-INFINITY, -INFINITY, -INFINITY},
		.row_upper = (double[]){4 * unit, 12 * unit, 18 * unit},
	};
	double found[2], duals[3], value;
	CHECK(crux_linear_program_solve(&program, found, duals, &value) == CRUX_LINEAR_OPTIMAL);
	CHECK_NEAR(found[0], 2, 1e-14);
	CHECK_NEAR(found[1], 6, 1e-14);
	CHECK_NEAR(value, -36 * money, 1e-14);
	CHECK(duals[0] == 0);
	CHECK_NEAR(duals[1], -1.5 * money / unit, 1e-14);
	CHECK_NEAR(duals[2], -money / unit, 1e-14);
}

static void test_statuses(void)
{
	const double *const matrix[] = {(double[]){1, 1}};
	crux_linear_program program = {
		.variables = 2,
		.rows = 1,
		.matrix = matrix,
		.objective = (double[]){1, 2},
		.lower = (double[]){0, 0},
		.upper = (double[]){1, 1},
		.row_lower = (double[]){1.5},
		.row_upper = (double[]){INFINITY},
	};
	double found[2], duals[1], value;
	CHECK(crux_linear_program_solve(&program, found, duals, &value) == CRUX_LINEAR_OPTIMAL);
	CHECK_NEAR(found[0], 1, 1e-14);
	CHECK_NEAR(found[1], 0.5, 1e-14);
	CHECK_NEAR(duals[0], 2, 1e-14);
	CHECK_NEAR(value, 2, 1e-14);
	program.row_lower = (double[]){2.5};
	CHECK(crux_linear_program_solve(&program, found, duals, &value) == CRUX_LINEAR_INFEASIBLE);
	program.upper = (double[]){INFINITY, INFINITY};
	program.objective = (double[]){-1, 2};
	CHECK(crux_linear_program_solve(&program, found, duals, &value) == CRUX_LINEAR_UNBOUNDED);
	program.variables = INT_MAX;
	program.rows = 0;
	CHECK(crux_linear_program_solve(&program, found, duals, &value) == CRUX_LINEAR_TOO_LARGE);
	program.variables = 2;
	program.upper = (double[]){1, 1};
	CHECK(crux_linear_program_solve(&program, found, duals, &value) == CRUX_LINEAR_OPTIMAL);
	CHECK(found[0] == 1 && found[1] == 0 && value == -1);
}

/* xorshift64*; whole numbers from 0 to most. */
static double draw(unsigned long long *state, int most)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (double)((*state * 2685821657736338717ULL >> 33) % ((unsigned)most + 1));
}

typedef struct random_program {
	double coefficients[ROWS][VARIABLES];
	double objective[VARIABLES], lower[VARIABLES], upper[VARIABLES];
	double row_lower[ROWS], row_upper[ROWS];
} random_program;

static random_program draw_program(unsigned long long *state)
{
	random_program at;
	for (int i = 0; i < VARIABLES; i++) {
		at.objective[i] = draw(state, 20) - 10;
		at.lower[i] = -draw(state, 5);
		at.upper[i] = draw(state, 5);
	}
	for (int row = 0; row < ROWS; row++) {
		for (int i = 0; i < VARIABLES; i++)
			at.coefficients[row][i] = draw(state, 8) - 4;
		at.row_lower[row] = draw(state, 12) - 8;
		at.row_upper[row] = at.row_lower[row] + draw(state, 6);
	}
	return at;
}

/* The k-th plane that bounds the program: normal and distance. */
static double plane(const random_program *at, int k, double normal[VARIABLES])
{
	int const i = k / 2;
	bool const is_lower = k % 2 == 0;
	for (int j = 0; j < VARIABLES; j++)
		normal[j] = i < VARIABLES ? i == j : at->coefficients[i - VARIABLES][j];
	if (i < VARIABLES)
		return is_lower ? at->lower[i] : at->upper[i];
	return is_lower ? at->row_lower[i - VARIABLES] : at->row_upper[i - VARIABLES];
}

static double determinant(double const m[3][3])
{
	return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
	       m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Where three planes meet, by Cramer's rule; false if nowhere or not in one point. */
static bool meet(double const normals[3][3], double const distances[3], double point[3])
{
	double const whole = determinant(normals);
	if (whole == 0)
		return false;
	for (int i = 0; i < 3; i++) {
		double replaced[3][3];
		for (int row = 0; row < 3; row++)
			for (int column = 0; column < 3; column++)
				replaced[row][column] = column == i ? distances[row] : normals[row][column];
		point[i] = determinant((double const(*)[3])replaced) / whole;
	}
	return true;
}

static bool is_allowed(const random_program *at, double const point[VARIABLES])
{
	for (int k = 0; k < PLANES; k++) {
		double normal[VARIABLES], sum = 0;
		double const distance = plane(at, k, normal);
		for (int i = 0; i < VARIABLES; i++)
			sum += normal[i] * point[i];
		if (k % 2 == 0 ? sum < distance - 1e-9 : sum > distance + 1e-9)
			return false;
	}
	return true;
}

/* The least objective at any vertex; infinite if there is none. */
static double least_at_vertices(const random_program *at)
{
	double least = INFINITY;
	for (int a = 0; a < PLANES; a++)
		for (int b = a + 1; b < PLANES; b++)
			for (int c = b + 1; c < PLANES; c++) {
				double normals[3][3], point[3];
				double const distances[] = {plane(at, a, normals[0]), plane(at, b, normals[1]), plane(at, c, normals[2])};
				if (!meet((double const(*)[3])normals, distances, point) || !is_allowed(at, point))
					continue;
				least = fmin(least, at->objective[0] * point[0] + at->objective[1] * point[1] + at->objective[2] * point[2]);
			}
	return least;
}

static void test_random(void)
{
	unsigned long long state = 2014;
	int optimal = 0;
	for (int i = 0; i < 2000; i++) {
		random_program const at = draw_program(&state);
		const double *const matrix[] = {at.coefficients[0], at.coefficients[1], at.coefficients[2]};
		crux_linear_program const program = {.variables = VARIABLES, .rows = ROWS, .matrix = matrix, .objective = at.objective,
			.lower = at.lower, .upper = at.upper, .row_lower = at.row_lower, .row_upper = at.row_upper};
		double found[VARIABLES], duals[ROWS], value;
		double const least = least_at_vertices(&at);
		crux_linear_status const status = crux_linear_program_solve(&program, found, duals, &value);
		CHECK(status == (isinf(least) ? CRUX_LINEAR_INFEASIBLE : CRUX_LINEAR_OPTIMAL));
		if (status != CRUX_LINEAR_OPTIMAL)
			continue;
		optimal++;
		CHECK(fabs(value - least) < 1e-9);
		CHECK(is_allowed(&at, found));
	}
	CHECK(optimal > 500 && optimal < 1900);
}

static void test_limit(void)
{
	enum { N = 40 };
	double numbers[N][N], ones[N], zeros[N] = {0}, bounds[N];
	const double *matrix[N];
	unsigned long long state = 7;
	for (int row = 0; row < N; row++) {
		matrix[row] = numbers[row];
		ones[row] = -1 - draw(&state, 9);
		bounds[row] = 100;
		for (int i = 0; i < N; i++)
			numbers[row][i] = 1 + draw(&state, 9);
	}
	double lowest[N], highest[N], found[N], duals[N], value;
	for (int i = 0; i < N; i++) {
		lowest[i] = -INFINITY;
		highest[i] = INFINITY;
	}
	crux_linear_program program = {.variables = N, .rows = N, .matrix = matrix, .objective = ones, .lower = zeros,
		.upper = highest, .row_lower = lowest, .row_upper = bounds, .most_iterations = 1};
	CHECK(crux_linear_program_solve(&program, found, duals, &value) == CRUX_LINEAR_STOPPED);
	program.most_iterations = 0;
	CHECK(crux_linear_program_solve(&program, found, duals, &value) == CRUX_LINEAR_OPTIMAL);
	double sum = 0;
	for (int row = 0; row < N; row++)
		sum += duals[row] * bounds[row];
	CHECK_NEAR(value, sum, 1e-12);
}

int main(void)
{
	test_known(1, 1);
	test_known(1e-12, 1e12);
	test_known(1e12, 1e-12);
	test_statuses();
	test_random();
	test_limit();
	return check_summary();
}
