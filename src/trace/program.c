/* A traced script as a straight-line program: which operations, in which registers, and the loops that run them. */
#include "trace/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/clones.h"

/* Which operands are registers, and which are uniform: the same for all lanes. A choice gets those in registers, too. A
 * narrow shift is one of registers by less places than lanes have bits. */
typedef enum { REGISTERS, SECOND_UNIFORM, FIRST_UNIFORM, NARROW, FORMS } operands;

#define FORM(operation, operands) ((operation) * FORMS + (operands))

typedef struct step {
	uint32_t form;
	uint32_t out, a, b, c; /* registers; of a lookup c is the place of the table */
	uint32_t scalar;       /* where the uniform operand is; UNUSED: there is none */
	int64_t uniform;       /* that operand; of a lookup the index of the table's first value */
} step;

/* A uniform value that is computed from others. */
typedef struct uniform_step {
	crux_operation operation;
	uint32_t out, a, b, c; /* scalars */
} uniform_step;

/* What a scalar must be. */
typedef struct assumption {
	uint32_t scalar;
	int64_t value;
} assumption;

/* A register whose lanes all hold the same. */
typedef struct filling {
	uint32_t to, scalar;
} filling;

/* Numbers that are given: where they lie in what is given, and where they go: scalars, registers (a lane of each) or values
 * of tables. */
typedef struct gift {
	enum { TO_SCALAR, TO_LANE, TO_TABLE } kind;
	size_t from, count, to;
} gift;

struct crux_program {
	unsigned lane_bits;
	crux_node widest;
	size_t step_count, register_count, scalar_count, value_count, uniform_count, filling_count, gift_count, assumption_count;
	step *steps;
	uniform_step *uniforms;
	filling *fillings;
	gift *gifts;
	assumption *assumptions;
	int64_t *scalars;
	void *registers; /* register_count batches */
	void *tables;    /* values as wide as lanes */
	uint32_t *input_registers; /* UNUSED: the program needs it not */
	uint32_t *output_registers;
};

#define UNUSED UINT32_MAX

/* Lanes from one register to the next: a cache line more than a batch, so that their first lanes are not all in the same
 * few places of the cache. */
static inline size_t stride_of(size_t lane_bytes)
{
	return CRUX_BATCH + 64 / lane_bytes;
}

#define LANE int16_t
#define UNSIGNED_LANE uint16_t
#define WIDTH(name) name##_16
#include "trace/program_lanes.h"
#undef LANE
#undef UNSIGNED_LANE
#undef WIDTH
#define LANE int32_t
#define UNSIGNED_LANE uint32_t
#define WIDTH(name) name##_32
#include "trace/program_lanes.h"
#undef LANE
#undef UNSIGNED_LANE
#undef WIDTH
#define LANE int64_t
#define UNSIGNED_LANE uint64_t
#define WIDTH(name) name##_64
#include "trace/program_lanes.h"

/* Calls the function of that name for lanes as wide as those of the program. */
#define IN_LANES(program, name, ...) \
	((program)->lane_bits == 16   ? name##_16(program, __VA_ARGS__) \
	 : (program)->lane_bits == 32 ? name##_32(program, __VA_ARGS__) \
	                              : name##_64(program, __VA_ARGS__))

/* What is known of the nodes of a trace while the program is made. */
typedef struct plan {
	const crux_trace *trace;
	crux_node count;
	crux_node *last_use; /* the last node that needs it; its own number: none; 0: not needed at all */
	bool *is_in_lanes;   /* whether the program's lanes need it, not only uniform values */
	uint32_t *place;     /* register, UNUSED: none yet */
	uint32_t *scalar;    /* of a uniform value; UNUSED: none yet */
	uint32_t *free;      /* registers that nothing needs any more */
	size_t free_count;
	size_t *table_places;
} plan;

/* An output is needed to the end. */
#define FOREVER UINT32_MAX

static void use(plan *p, crux_node node, crux_node by)
{
	if (by > p->last_use[node])
		p->last_use[node] = by;
	p->is_in_lanes[node] |= by == FOREVER || !crux_trace_at(p->trace, by)->is_uniform;
}

static bool is_constant(const plan *p, crux_node node)
{
	return crux_trace_at(p->trace, node)->operation == CRUX_CONSTANT;
}

static bool is_uniform(const plan *p, crux_node node)
{
	return crux_trace_at(p->trace, node)->is_uniform;
}

/* Marks what the outputs and the assumptions need, and until when. */
static void mark_uses(plan *p, const crux_node *outputs, size_t output_count)
{
	size_t count;
	crux_node const *const assumptions = crux_trace_assumptions(p->trace, &count);
	for (size_t i = 0; i < output_count; i++)
		use(p, outputs[i], FOREVER);
	for (size_t i = 0; i < count; i++)
		use(p, assumptions[i], assumptions[i]);
	for (crux_node i = p->count; i-- > 1;) {
		crux_trace_node const *const node = crux_trace_at(p->trace, i);
		if (node->operation == CRUX_PARAMETER && p->last_use[i] != 0 && !node->is_uniform)
			p->last_use[i] = FOREVER; /* it is given once, for many runs */
		if (p->last_use[i] == 0 || node->operation <= CRUX_PARAMETER)
			continue;
		use(p, node->a, i);
		if (node->operation != CRUX_LOOKUP)
			use(p, node->b, i);
		use(p, node->c, i);
	}
}

/* The bits of the narrowest lanes that hold a number. */
static unsigned bits_of(int64_t value)
{
	return value == (int16_t)value ? 16 : value == (int32_t)value ? 32 : 64;
}

/* The bits of the narrowest lanes that hold what a node makes of its operands. */
static unsigned bits_for(const plan *p, crux_node number)
{
	crux_trace_node const *const node = crux_trace_at(p->trace, number);
	bool const is_of_bits = node->operation == CRUX_SHIFT_RIGHT || node->operation == CRUX_COUNT;
	if (is_of_bits && !node->is_uniform && crux_trace_at(p->trace, node->a)->low < 0)
		return 64;
	unsigned const low = bits_of(node->low), high = bits_of(node->high);
	return low > high ? low : high;
}

static void choose_lanes(const plan *p, crux_program *program)
{
	program->lane_bits = 16;
	for (crux_node i = 1; i < p->count; i++) {
		unsigned const bits = p->is_in_lanes[i] ? bits_for(p, i) : 0;
		if (bits > program->lane_bits) {
			program->lane_bits = bits;
			program->widest = i;
		}
	}
}

static uint32_t take_register(plan *p, crux_program *program)
{
	return p->free_count ? p->free[--p->free_count] : (uint32_t)program->register_count++;
}

/* Frees the register of an operand after its last use. */
static void release(plan *p, crux_node node, crux_node by)
{
	if (p->last_use[node] == by && p->place[node] != UNUSED && !is_uniform(p, node)) {
		p->free[p->free_count++] = p->place[node];
		p->last_use[node] = by - 1; /* an operand may occur twice */
	}
}

/* The scalar that holds a uniform value. */
static uint32_t scalar_of(plan *p, crux_program *program, crux_node node)
{
	if (p->scalar[node] == UNUSED)
		p->scalar[node] = (uint32_t)program->scalar_count++;
	return p->scalar[node];
}

/* The register of an operand; one that is uniform gets one for good. */
static uint32_t place_of(plan *p, crux_program *program, crux_node node)
{
	if (p->place[node] == UNUSED) {
		p->place[node] = (uint32_t)program->register_count++;
		if (is_uniform(p, node))
			program->fillings[program->filling_count++] = (filling){p->place[node], scalar_of(p, program, node)};
	}
	return p->place[node];
}

static void add_uniform_step(plan *p, crux_program *program, crux_node number)
{
	crux_trace_node const *const node = crux_trace_at(p->trace, number);
	uint32_t const a = scalar_of(p, program, node->a), b = scalar_of(p, program, node->b);
	uint32_t const c = scalar_of(p, program, node->c);
	program->uniforms[program->uniform_count++] = (uniform_step){node->operation, scalar_of(p, program, number), a, b, c};
}

static bool is_shift(const crux_trace_node *node)
{
	return node->operation == CRUX_SHIFT_LEFT || node->operation == CRUX_SHIFT_RIGHT;
}

/* Whether an operation takes an operand as a scalar. Only a number of places to shift by that is known is less than lanes
 * are wide. */
static bool takes_scalar(const plan *p, const crux_trace_node *node, crux_node operand)
{
	return is_constant(p, operand) || (is_uniform(p, operand) && !(is_shift(node) && operand == node->b));
}

static void add_step(plan *p, crux_program *program, crux_node number)
{
	crux_trace_node const *const node = crux_trace_at(p->trace, number);
	step *s = &program->steps[program->step_count++];
	operands form = REGISTERS;
	s->scalar = UNUSED;
	if (node->operation == CRUX_LOOKUP) {
		size_t count;
		s->uniform = crux_trace_tables(p->trace, &count)[node->b].first;
		s->c = (uint32_t)p->table_places[node->b];
	} else if (node->operation == CRUX_SELECT) {
		s->c = place_of(p, program, node->c);
	} else if (node->operation < CRUX_ABS) {
		form = takes_scalar(p, node, node->b) ? SECOND_UNIFORM : takes_scalar(p, node, node->a) ? FIRST_UNIFORM : REGISTERS;
		if (form != REGISTERS)
			s->scalar = scalar_of(p, program, form == FIRST_UNIFORM ? node->a : node->b);
		else if (is_shift(node) && crux_trace_at(p->trace, node->b)->high < program->lane_bits)
			form = NARROW;
	}
	s->form = FORM(node->operation, form);
	if (form != FIRST_UNIFORM)
		s->a = place_of(p, program, node->a);
	bool const has_b = node->operation == CRUX_SELECT || (node->operation < CRUX_ABS && form != SECOND_UNIFORM);
	if (has_b)
		s->b = place_of(p, program, node->b);
	release(p, node->a, number);
	if (has_b)
		release(p, node->b, number);
	if (node->operation == CRUX_SELECT)
		release(p, node->c, number);
	s->out = p->place[number] = take_register(p, program);
}

static void add_steps(plan *p, crux_program *program, const crux_node *inputs, size_t input_count)
{
	for (size_t i = 0; i < input_count; i++)
		program->input_registers[i] =
			p->last_use[inputs[i]] && !is_constant(p, inputs[i]) ? place_of(p, program, inputs[i]) : UNUSED;
	for (crux_node i = 1; i < p->count; i++) {
		crux_trace_node const *const node = crux_trace_at(p->trace, i);
		if (p->last_use[i] == 0 || node->operation <= CRUX_PARAMETER)
			continue;
		if (node->is_uniform)
			add_uniform_step(p, program, i);
		else
			add_step(p, program, i);
	}
}

static void add_assumptions(plan *p, crux_program *program)
{
	size_t count;
	crux_node const *const nodes = crux_trace_assumptions(p->trace, &count);
	for (size_t i = 0; i < count; i++)
		program->assumptions[program->assumption_count++] =
			(assumption){scalar_of(p, program, nodes[i]), crux_trace_at(p->trace, nodes[i])->value};
}

/* Notes where what is given goes. */
static void add_gifts(plan *p, crux_program *program)
{
	for (crux_node i = 1; i < p->count; i++) {
		crux_trace_node const *const node = crux_trace_at(p->trace, i);
		uint32_t const to = node->is_uniform ? p->scalar[i] : p->place[i];
		if (node->operation == CRUX_PARAMETER && to != UNUSED)
			program->gifts[program->gift_count++] = (gift){node->is_uniform ? TO_SCALAR : TO_LANE, node->a, 1, to};
	}
	size_t count;
	crux_trace_table const *const tables = crux_trace_tables(p->trace, &count);
	for (size_t i = 0; i < count; i++)
		if (!tables[i].values)
			program->gifts[program->gift_count++] = (gift){TO_TABLE, tables[i].place, tables[i].count, p->table_places[i]};
}

static void write(const crux_program *program, void *to, size_t index, int64_t value)
{
	if (program->lane_bits == 16)
		((int16_t *)to)[index] = (int16_t)value;
	else if (program->lane_bits == 32)
		((int32_t *)to)[index] = (int32_t)value;
	else
		((int64_t *)to)[index] = value;
}

static size_t const max_bytes = (size_t)64 << 20; /* of registers; programs of games take some 100 kB */

/* Makes the registers, behind them room for so many to feed, the scalars with those that are constant, and the tables with those
 * that are known; false when memory is short, or the registers take too much. */
static bool make_memory(const plan *p, crux_program *program, size_t room)
{
	size_t const lane = program->lane_bits / 8, size = (program->register_count + room + 1) * stride_of(lane) * lane;
	program->registers = size <= max_bytes ? aligned_alloc(64, size) : NULL;
	program->tables = malloc((program->value_count + 1) * lane);
	program->scalars = calloc(program->scalar_count + 1, sizeof *program->scalars);
	if (!program->registers || !program->tables || !program->scalars)
		return false;
	memset(program->registers, 0, size);
	for (crux_node i = 0; i < p->count; i++)
		if (is_constant(p, i) && p->scalar[i] != UNUSED)
			program->scalars[p->scalar[i]] = crux_trace_at(p->trace, i)->low;
	size_t count;
	crux_trace_table const *const tables = crux_trace_tables(p->trace, &count);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; tables[i].values && k < tables[i].count; k++)
			write(program, program->tables, p->table_places[i] + k, tables[i].values[k]);
	return true;
}

static bool allocate(plan *p, crux_program *program, size_t table_count, size_t input_count, size_t output_count)
{
	p->last_use = calloc(p->count, sizeof *p->last_use);
	p->is_in_lanes = calloc(p->count, sizeof *p->is_in_lanes);
	p->place = malloc(p->count * sizeof *p->place);
	p->scalar = malloc(p->count * sizeof *p->scalar);
	p->free = malloc(p->count * sizeof *p->free);
	p->table_places = malloc((table_count + 1) * sizeof *p->table_places);
	program->steps = calloc(p->count, sizeof *program->steps);
	program->uniforms = calloc(p->count, sizeof *program->uniforms);
	program->fillings = calloc(p->count, sizeof *program->fillings);
	program->gifts = calloc(p->count + table_count, sizeof *program->gifts);
	program->assumptions = calloc(p->count, sizeof *program->assumptions);
	program->input_registers = malloc((input_count + 1) * sizeof *program->input_registers);
	program->output_registers = malloc((output_count + 1) * sizeof *program->output_registers);
	return p->last_use && p->is_in_lanes && p->place && p->scalar && p->free && p->table_places && program->steps &&
	       program->uniforms && program->fillings && program->gifts && program->assumptions &&
	       program->input_registers && program->output_registers;
}

static bool make(plan *p, crux_program *program, const crux_node *inputs, size_t input_count, const crux_node *outputs,
                 size_t output_count)
{
	size_t table_count;
	crux_trace_table const *const tables = crux_trace_tables(p->trace, &table_count);
	if (!allocate(p, program, table_count, input_count, output_count))
		return false;
	memset(p->place, 0xff, p->count * sizeof *p->place);
	memset(p->scalar, 0xff, p->count * sizeof *p->scalar);
	for (size_t i = 0; i < table_count; i++) {
		p->table_places[i] = program->value_count;
		program->value_count += tables[i].count;
	}
	mark_uses(p, outputs, output_count);
	choose_lanes(p, program);
	add_steps(p, program, inputs, input_count);
	for (size_t i = 0; i < output_count; i++)
		program->output_registers[i] = place_of(p, program, outputs[i]);
	add_assumptions(p, program);
	add_gifts(p, program);
	return make_memory(p, program, crux_trace_varies(p->trace) ? output_count : 0);
}

crux_program *crux_program_new(const crux_trace *trace, const crux_node *inputs, size_t input_count,
                               const crux_node *outputs, size_t output_count)
{
	crux_program *program = calloc(1, sizeof *program);
	if (!program)
		return NULL;
	plan p = {.trace = trace, .count = crux_trace_count(trace)};
	bool const is_made = make(&p, program, inputs, input_count, outputs, output_count);
	free(p.last_use);
	free(p.is_in_lanes);
	free(p.place);
	free(p.scalar);
	free(p.free);
	free(p.table_places);
	if (!is_made) {
		crux_program_free(program);
		return NULL;
	}
	if (crux_trace_given(trace) == 0 || crux_trace_varies(trace))
		crux_program_bind(program, NULL);
	return program;
}

void crux_program_free(crux_program *program)
{
	if (!program)
		return;
	free(program->steps);
	free(program->uniforms);
	free(program->fillings);
	free(program->gifts);
	free(program->assumptions);
	free(program->scalars);
	free(program->registers);
	free(program->tables);
	free(program->input_registers);
	free(program->output_registers);
	free(program);
}

static void take(crux_program *program, const gift *g, const int64_t *given)
{
	if (g->kind == TO_SCALAR)
		program->scalars[g->to] = given[g->from];
	for (size_t i = 0; g->kind == TO_TABLE && i < g->count; i++)
		write(program, program->tables, g->to + i, given[g->from + i]);
}

bool crux_program_bind(crux_program *program, const int64_t *given)
{
	int64_t *const scalars = program->scalars;
	for (size_t i = 0; i < program->gift_count; i++)
		take(program, &program->gifts[i], given);
	for (uniform_step const *s = program->uniforms; s < program->uniforms + program->uniform_count; s++)
		scalars[s->out] = crux_operation_evaluate(s->operation, scalars[s->a], scalars[s->b], scalars[s->c]);
	for (size_t i = 0; i < program->assumption_count; i++)
		if (scalars[program->assumptions[i].scalar] != program->assumptions[i].value)
			return false;
	for (step *s = program->steps; s < program->steps + program->step_count; s++)
		if (s->scalar != UNUSED)
			s->uniform = scalars[s->scalar];
	for (filling const *f = program->fillings; f < program->fillings + program->filling_count; f++)
		IN_LANES(program, fill, f);
	return true;
}

void crux_program_give(crux_program *program, size_t lane, const int64_t *given)
{
	for (gift const *g = program->gifts; g < program->gifts + program->gift_count; g++)
		write(program, program->registers, g->to * stride_of(program->lane_bits / 8) + lane, given[g->from]);
}

size_t crux_program_rounded(size_t lanes)
{
	return (lanes + 31) / 32 * 32;
}

void crux_program_load(crux_program *program, size_t input, crux_state_place place, const uint64_t *columns,
                       size_t lanes)
{
	uint32_t const to = program->input_registers[input];
	if (to != UNUSED)
		IN_LANES(program, load, to, place, columns, crux_program_rounded(lanes));
}

void crux_program_run(crux_program *program, size_t lanes)
{
	IN_LANES(program, run, crux_program_rounded(lanes));
}

void crux_program_store(const crux_program *program, size_t output, crux_state_place place, uint64_t *columns,
                        size_t lanes)
{
	uint32_t const from = program->output_registers[output];
	IN_LANES(program, store, from, place, columns, crux_program_rounded(lanes));
}

bool crux_program_truths(const crux_program *program, size_t output, size_t lanes, uint8_t *truths, bool always)
{
	uint32_t const from = program->output_registers[output];
	return IN_LANES(program, truths, from, lanes, truths, always);
}

void crux_program_feed(crux_program *program, size_t count, size_t lanes)
{
	size_t const lane = program->lane_bits / 8, stride = stride_of(lane) * lane;
	char *const registers = program->registers, *const room = registers + program->register_count * stride;
	for (size_t i = 0; i < count; i++)
		memcpy(room + i * stride, registers + program->output_registers[i] * stride, crux_program_rounded(lanes) * lane);
	for (size_t i = 0; i < count; i++)
		if (program->input_registers[i] != UNUSED)
			memcpy(registers + program->input_registers[i] * stride, room + i * stride, crux_program_rounded(lanes) * lane);
}

size_t crux_program_operations(const crux_program *program)
{
	return program->step_count;
}

size_t crux_program_registers(const crux_program *program)
{
	return program->register_count;
}

unsigned crux_program_lane_bits(const crux_program *program)
{
	return program->lane_bits;
}

crux_node crux_program_widest(const crux_program *program)
{
	return program->widest;
}
