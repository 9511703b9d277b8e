/* Linear programs by COIN-OR's Clp; see linear_program.h. */
#include "fit/linear_program.h"

#include <coin/Clp_C_Interface.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include "base/block.h"
#include "base/library.h"

static double const tolerance = 1e-10;

/* The functions of Clp that are used. */
#define CLP_FUNCTIONS(f) \
	f(newModel) f(deleteModel) f(loadProblem) f(setLogLevel) f(scaling) f(setPerturbation) f(setPrimalTolerance) \
	f(setDualTolerance) f(setMaximumIterations) f(dual) f(primal) f(status) f(hitMaximumIterations) \
	f(primalColumnSolution) f(dualRowSolution) f(objectiveValue)

typedef void new_handler(void); /* C++ calls it when memory is short; NULL: C++ raises an exception */

/* Clp is loaded on first use: loading it and its dependencies takes half as long as the shortest command. */
typedef struct clp {
#define CLP_FIELD(name) __typeof__(Clp_##name) *name;
	CLP_FUNCTIONS(CLP_FIELD)
#undef CLP_FIELD
	new_handler *(*set_new_handler)(new_handler *handler); /* of C++ */
	new_handler *raise;                                    /* raises C++'s exception */
	__typeof__(_Unwind_ForcedUnwind) *unwind;
	__typeof__(_Unwind_GetCFA) *frame_of;
} clp;

/* The place where a thread continues when Clp runs out of memory: C cannot catch the exception that C++ raises then, which
 * would end the process. */
typedef struct way_out {
	jmp_buf here;
	const void *frame; /* the stack frame of `here` */
	struct _Unwind_Exception exception; /* the forced unwinding; outlives the frames that it leaves */
	const clp *clp;
} way_out;

static _Thread_local way_out *own_way_out; /* NULL while the thread is not in Clp */

/* The handler of C++, which all threads share. */
static struct {
	pthread_mutex_t lock;
	size_t threads; /* in Clp */
	_Atomic(new_handler *) former, raise; /* the host's handler; the one to call if that is NULL */
} host = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Jumps to `here` once all frames of C++ are unwound. */
static _Unwind_Reason_Code step_out(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                    struct _Unwind_Exception *exception, struct _Unwind_Context *context, void *to)
{
	way_out *const way = to;
	(void)version;
	(void)class;
	(void)exception;
	if (actions & _UA_END_OF_STACK || way->clp->frame_of(context) > (uintptr_t)way->frame)
		longjmp(way->here, 1);
	return _URC_NO_REASON;
}

/* The handler during Clp: unwinds a thread in Clp, whose functions free their locals, as for a cancelled thread; the model
 * leaks. For other threads it calls the host's handler, or raises C++'s exception. */
static void leave(void)
{
	if (own_way_out)
		own_way_out->clp->unwind(&own_way_out->exception, step_out, own_way_out);
	else
		(host.former ? host.former : host.raise)();
}

/* Counts a thread in; the first one sets the handler `leave`. */
static void enter(const clp *c)
{
	pthread_mutex_lock(&host.lock);
	host.raise = c->raise;
	if (host.threads++ == 0)
		host.former = c->set_new_handler(leave);
	pthread_mutex_unlock(&host.lock);
}

static void quit(const clp *c)
{
	pthread_mutex_lock(&host.lock);
	if (--host.threads == 0) {
		new_handler *const last = c->set_new_handler(host.former);
		if (last != leave) /* the host has set another one since */
			c->set_new_handler(last);
	}
	pthread_mutex_unlock(&host.lock);
}

static bool load(clp *c)
{
#define CLP_ROW(name) {"Clp_" #name, &c->name},
	crux_library_function const functions[] = {
		CLP_FUNCTIONS(CLP_ROW)
		{"_ZSt15set_new_handlerPFvvE", &c->set_new_handler}, {"_ZSt17__throw_bad_allocv", &c->raise},
		{"_Unwind_ForcedUnwind", &c->unwind}, {"_Unwind_GetCFA", &c->frame_of},
	};
#undef CLP_ROW
	return crux_library_load("libClp.so.1", functions, sizeof functions / sizeof *functions);
}

/* The scaled program: the matrix as Clp takes it, by variables, without zeros, and the factors of rows, of the objective, and
 * of all bounds and so the variables. */
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

/* Returns the largest absolute value of n numbers, infinite ones ignored, and `other`. */
static double largest_of(size_t n, const double *numbers, double other)
{
	for (size_t i = 0; i < n; i++)
		if (isfinite(numbers[i]))
			other = fmax(other, fabs(numbers[i]));
	return other;
}

/* Returns the power of two that scales a number to at least 1/2 and below 1. */
static double scale_of(double number)
{
	int exponent = 0;
	frexp(number, &exponent);
	return ldexp(1, -exponent);
}

static size_t count_elements(const crux_linear_program *program)
{
	size_t count = 0;
	for (size_t row = 0; row < program->rows; row++)
		for (size_t i = 0; i < program->variables; i++)
			count += program->matrix[row][i] != 0;
	return count;
}

/* Allocates the arrays in one block, which free releases; NULL when memory is short. */
static void *allocate(scaled *at, const crux_linear_program *program, size_t elements)
{
	size_t const variables = program->variables, rows = program->rows;
	crux_array const arrays[] = {
		CRUX_ARRAY(at->starts, variables + 1), CRUX_ARRAY(at->rows, elements), CRUX_ARRAY(at->elements, elements),
		CRUX_ARRAY(at->objective, variables), CRUX_ARRAY(at->lower, variables), CRUX_ARRAY(at->upper, variables),
		CRUX_ARRAY(at->row_lower, rows), CRUX_ARRAY(at->row_upper, rows), CRUX_ARRAY(at->row_scale, rows),
	};
	return crux_block_new(arrays, sizeof arrays / sizeof *arrays);
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
	c->setPerturbation(model, 100); /* off, so that results are exact */
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

/* Solves the scaled program by Clp and scales the results back. */
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

/* Calls solve; returns CRUX_LINEAR_NO_MEMORY if Clp runs out of memory. */
static crux_linear_status try_to_solve(const clp *c, const crux_linear_program *program, const scaled *at, double *variables,
                                       double *duals, double *value)
{
	way_out way = {.frame = __builtin_frame_address(0), .clp = c};
	crux_linear_status status = CRUX_LINEAR_NO_MEMORY;
	enter(c);
	if (setjmp(way.here) == 0) {
		own_way_out = &way;
		status = solve(c, program, at, variables, duals, value);
	}
	own_way_out = NULL;
	quit(c);
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
	void *const memory = allocate(&at, program, elements);
	if (memory) {
		fill(&at, program);
		status = try_to_solve(&c, program, &at, variables, duals, value);
	}
	free(memory);
	return status;
}
