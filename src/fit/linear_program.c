/* Linear programs by COIN-OR's Clp; see linear_program.h. */
#include "fit/linear_program.h"

#include <coin/Clp_C_Interface.h>
#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static double const tolerance = 1e-10;

/* The functions of Clp that are used. */
#define CLP_FUNCTIONS(f) \
	f(newModel) f(deleteModel) f(loadProblem) f(setLogLevel) f(scaling) f(setPerturbation) f(setPrimalTolerance) \
	f(setDualTolerance) f(setMaximumIterations) f(dual) f(primal) f(status) f(hitMaximumIterations) \
	f(primalColumnSolution) f(dualRowSolution) f(objectiveValue)

/* Clp is loaded when it is first needed: with what it brings along, that takes half as long as the shortest command. */
typedef struct clp {
#define CLP_FIELD(name) __typeof__(Clp_##name) *name;
	CLP_FUNCTIONS(CLP_FIELD)
#undef CLP_FIELD
	void (*(*set_new_handler)(void (*handler)(void)))(void); /* of C++ */
} clp;

/* Finds a function of the library; false when it has none of that name. */
static bool find(void *library, const char *name, void *function)
{
	void *const found = dlsym(library, name);
	memcpy(function, &found, sizeof found);
	return found != NULL;
}

/* Where this thread goes on when Clp finds no memory. C++ raises an exception then, which C cannot catch and which would end the
 * process; what Clp had made of its model is lost instead. */
static _Thread_local jmp_buf *way_out;

/* What C++ calls before it raises that; where it is not Clp that asked, it steps aside. */
static void leave(void)
{
	if (way_out)
		longjmp(*way_out, 1);
	clp c;
	if (find(dlopen("libClp.so.1", RTLD_LAZY | RTLD_NOLOAD), "_ZSt15set_new_handlerPFvvE", &c.set_new_handler))
		c.set_new_handler(NULL);
}

/* Gets Clp, which stays loaded from then on; false when it is not there. */
static bool load(clp *c)
{
	void *const library = dlopen("libClp.so.1", RTLD_LAZY | RTLD_NODELETE);
	bool found = library != NULL;
#define CLP_FIND(name) found = found && find(library, "Clp_" #name, &c->name);
	CLP_FUNCTIONS(CLP_FIND)
#undef CLP_FIND
	found = found && find(library, "_ZSt15set_new_handlerPFvvE", &c->set_new_handler);
	if (library)
		dlclose(library);
	return found;
}

/* The matrix as Clp takes it: by variables, without zeros; and what rows, the objective and all bounds, and so the
 * variables, were multiplied by. */
typedef struct scaled {
	CoinBigIndex *starts;
	int *rows;
	double *elements;
	double *objective;
	double *lower, *upper;
	double *row_lower, *row_upper;
	double *row_scale;
	double objective_scale, bound_scale;
} scaled;

/* The largest absolute value of n numbers and another one; infinite numbers do not count. */
static double largest_of(size_t n, const double *numbers, double other)
{
	for (size_t i = 0; i < n; i++)
		if (isfinite(numbers[i]))
			other = fmax(other, fabs(numbers[i]));
	return other;
}

/* The power of two that brings a number to 1/2 or more, below 1. */
static double scale_of(double number)
{
	int exponent = 0;
	frexp(number, &exponent);
	return ldexp(1, -exponent);
}

static void release(scaled *at)
{
	free(at->starts);
	free(at->rows);
	free(at->elements);
	free(at->objective);
	free(at->lower);
	free(at->upper);
	free(at->row_lower);
	free(at->row_upper);
	free(at->row_scale);
}

static size_t count_elements(const crux_linear_program *program)
{
	size_t count = 0;
	for (size_t row = 0; row < program->rows; row++)
		for (size_t i = 0; i < program->variables; i++)
			count += program->matrix[row][i] != 0;
	return count;
}

static bool allocate(scaled *at, const crux_linear_program *program, size_t elements)
{
	*at = (scaled){
		.starts = calloc(program->variables + 1, sizeof *at->starts),
		.rows = calloc(elements + 1, sizeof *at->rows),
		.elements = calloc(elements + 1, sizeof *at->elements),
		.objective = calloc(program->variables + 1, sizeof *at->objective),
		.lower = calloc(program->variables + 1, sizeof *at->lower),
		.upper = calloc(program->variables + 1, sizeof *at->upper),
		.row_lower = calloc(program->rows + 1, sizeof *at->row_lower),
		.row_upper = calloc(program->rows + 1, sizeof *at->row_upper),
		.row_scale = calloc(program->rows + 1, sizeof *at->row_scale),
	};
	return at->starts && at->rows && at->elements && at->objective && at->lower && at->upper && at->row_lower &&
	       at->row_upper && at->row_scale;
}

static void scale_bounds(scaled *at, const crux_linear_program *program)
{
	size_t const n = program->variables, rows = program->rows;
	for (size_t row = 0; row < rows; row++) {
		at->row_lower[row] = at->row_scale[row] * program->row_lower[row];
		at->row_upper[row] = at->row_scale[row] * program->row_upper[row];
	}
	double const largest = largest_of(rows, at->row_lower, largest_of(rows, at->row_upper, 0));
	at->bound_scale = scale_of(largest_of(n, program->lower, largest_of(n, program->upper, largest)));
	for (size_t row = 0; row < rows; row++) {
		at->row_lower[row] *= at->bound_scale;
		at->row_upper[row] *= at->bound_scale;
	}
	for (size_t i = 0; i < n; i++) {
		at->lower[i] = at->bound_scale * program->lower[i];
		at->upper[i] = at->bound_scale * program->upper[i];
	}
}

static void fill(scaled *at, const crux_linear_program *program)
{
	for (size_t row = 0; row < program->rows; row++)
		at->row_scale[row] = scale_of(largest_of(program->variables, program->matrix[row], 0));
	at->objective_scale = scale_of(largest_of(program->variables, program->objective, 0));
	CoinBigIndex count = 0;
	for (size_t i = 0; i < program->variables; i++) {
		at->objective[i] = at->objective_scale * program->objective[i];
		for (size_t row = 0; row < program->rows; row++) {
			if (program->matrix[row][i] == 0)
				continue;
			at->rows[count] = (int)row;
			at->elements[count++] = at->row_scale[row] * program->matrix[row][i];
		}
		at->starts[i + 1] = count;
	}
	scale_bounds(at, program);
}

static crux_linear_status status_of(const clp *c, Clp_Simplex *model)
{
	static crux_linear_status const statuses[] = {CRUX_LINEAR_OPTIMAL, CRUX_LINEAR_INFEASIBLE, CRUX_LINEAR_UNBOUNDED};
	int const status = c->status(model);
	return status >= 0 && status <= 2 ? statuses[status] : CRUX_LINEAR_STOPPED;
}

static crux_linear_status run(const clp *c, Clp_Simplex *model, const crux_linear_program *program)
{
	c->setLogLevel(model, 0);
	c->scaling(model, 0);
	c->setPerturbation(model, 100); /* none: results are to be exact */
	c->setPrimalTolerance(model, tolerance);
	c->setDualTolerance(model, tolerance);
	if (program->most_iterations > 0 && program->most_iterations < INT_MAX)
		c->setMaximumIterations(model, (int)program->most_iterations);
	c->dual(model, 0);
	crux_linear_status const found = status_of(c, model);
	if (found == CRUX_LINEAR_OPTIMAL || c->hitMaximumIterations(model))
		return found;
	c->primal(model, 0);
	crux_linear_status const again = status_of(c, model);
	return again == CRUX_LINEAR_OPTIMAL || found == CRUX_LINEAR_STOPPED ? again : found;
}

/* Has Clp solve what was scaled. */
static crux_linear_status solve(const clp *c, const crux_linear_program *program, const scaled *at, double *variables,
                                double *duals, double *value)
{
	Clp_Simplex *const model = c->newModel();
	c->loadProblem(model, (int)program->variables, (int)program->rows, at->starts, at->rows, at->elements, at->lower,
	               at->upper, at->objective, at->row_lower, at->row_upper);
	crux_linear_status const status = run(c, model, program);
	if (status == CRUX_LINEAR_OPTIMAL) {
		for (size_t i = 0; i < program->variables; i++)
			variables[i] = c->primalColumnSolution(model)[i] / at->bound_scale;
		for (size_t row = 0; row < program->rows; row++)
			duals[row] = c->dualRowSolution(model)[row] * at->row_scale[row] / at->objective_scale;
		*value = c->objectiveValue(model) / at->objective_scale / at->bound_scale;
	}
	c->deleteModel(model);
	return status;
}

/* The same, with a way out. */
static crux_linear_status try_to_solve(const clp *c, const crux_linear_program *program, const scaled *at, double *variables,
                                       double *duals, double *value)
{
	jmp_buf here;
	crux_linear_status status = CRUX_LINEAR_NO_MEMORY;
	c->set_new_handler(leave);
	if (setjmp(here) == 0) {
		way_out = &here;
		status = solve(c, program, at, variables, duals, value);
	}
	way_out = NULL;
	return status;
}

crux_linear_status crux_linear_program_solve(const crux_linear_program *program, double *variables, double *duals,
                                             double *value)
{
	size_t const elements = count_elements(program);
	if (program->variables >= INT_MAX || program->rows >= INT_MAX || elements >= INT_MAX)
		return CRUX_LINEAR_TOO_LARGE;
	clp c;
	if (!load(&c))
		return CRUX_LINEAR_NO_SOLVER;
	scaled at;
	crux_linear_status status = CRUX_LINEAR_NO_MEMORY;
	if (allocate(&at, program, elements)) {
		fill(&at, program);
		status = try_to_solve(&c, program, &at, variables, duals, value);
	}
	release(&at);
	return status;
}
