/* A traced script as a straight-line program: which operations, in which registers, and the loops that run them. */
#include "program.h"

#include <stdlib.h>
#include <string.h>

/* Which operands are registers. Of two constants the trace makes one; a choice gets its constants in registers. */
typedef enum { REGISTERS, SECOND_CONSTANT, FIRST_CONSTANT, FORMS } operands;

#define FORM(operation, operands) ((operation) * FORMS + (operands))

typedef struct step {
	uint32_t form;
	uint32_t out, a, b, c; /* registers; of a lookup c is the place of the table */
	int64_t constant;      /* of a lookup the index of the table's first value */
} step;

struct crux_program {
	unsigned lane_bits;
	size_t step_count, register_count;
	step *steps;
	void *registers; /* register_count batches */
	void *tables;    /* values as wide as lanes */
	uint32_t *input_registers; /* UNUSED: the program needs it not */
	uint32_t *output_registers;
};

#define UNUSED UINT32_MAX

/* Lanes as wide as the processor at hand has them, chosen when the program is loaded. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define CLONES
#endif

#define LANE int16_t
#define UNSIGNED_LANE uint16_t
#define WIDTH(name) name##_16
#include "program_lanes.h"
#undef LANE
#undef UNSIGNED_LANE
#undef WIDTH
#define LANE int32_t
#define UNSIGNED_LANE uint32_t
#define WIDTH(name) name##_32
#include "program_lanes.h"
#undef LANE
#undef UNSIGNED_LANE
#undef WIDTH
#define LANE int64_t
#define UNSIGNED_LANE uint64_t
#define WIDTH(name) name##_64
#include "program_lanes.h"

/* What is known of the nodes of a trace while the program is made. */
typedef struct plan {
	const crux_trace *trace;
	crux_node count;
	crux_node *last_use; /* the last node that needs it; its own number: none; 0: not needed at all */
	uint32_t *place;     /* register, UNUSED: none yet */
	uint32_t *free;      /* registers that nothing needs any more */
	size_t free_count;
	size_t *table_places;
	size_t table_values;
} plan;

/* An output is needed to the end. */
#define FOREVER UINT32_MAX

static void use(plan *p, crux_node node, crux_node by)
{
	if (by > p->last_use[node])
		p->last_use[node] = by;
}

static bool is_constant(const plan *p, crux_node node)
{
	return crux_trace_at(p->trace, node)->operation == CRUX_CONSTANT;
}

/* Marks what the outputs need, and until when. */
static void mark_uses(plan *p, const crux_node *outputs, size_t output_count)
{
	for (size_t i = 0; i < output_count; i++)
		use(p, outputs[i], FOREVER);
	for (crux_node i = p->count; i-- > 1;) {
		crux_trace_node const *const node = crux_trace_at(p->trace, i);
		if (p->last_use[i] == 0 || node->operation == CRUX_CONSTANT || node->operation == CRUX_INPUT)
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

static unsigned lane_bits(const plan *p)
{
	unsigned bits = 16;
	for (crux_node i = 1; i < p->count; i++) {
		crux_trace_node const *const node = crux_trace_at(p->trace, i);
		if (p->last_use[i] == 0)
			continue;
		bool const is_of_bits = node->operation == CRUX_SHIFT_RIGHT || node->operation == CRUX_COUNT;
		if (is_of_bits && crux_trace_at(p->trace, node->a)->low < 0)
			return 64;
		unsigned const low = bits_of(node->low), high = bits_of(node->high);
		bits = low > bits ? low : bits;
		bits = high > bits ? high : bits;
	}
	return bits;
}

static uint32_t take_register(plan *p, crux_program *program)
{
	return p->free_count ? p->free[--p->free_count] : (uint32_t)program->register_count++;
}

/* Frees the register of an operand after its last use. */
static void release(plan *p, crux_node node, crux_node by)
{
	if (p->last_use[node] == by && p->place[node] != UNUSED && !is_constant(p, node)) {
		p->free[p->free_count++] = p->place[node];
		p->last_use[node] = by - 1; /* an operand may occur twice */
	}
}

/* The register of an operand; one that is constant gets one for good. */
static uint32_t place_of(plan *p, crux_program *program, crux_node node)
{
	if (p->place[node] == UNUSED)
		p->place[node] = (uint32_t)program->register_count++;
	return p->place[node];
}

static void add_step(plan *p, crux_program *program, crux_node number)
{
	crux_trace_node const *const node = crux_trace_at(p->trace, number);
	step *s = &program->steps[program->step_count++];
	operands form = REGISTERS;
	if (node->operation == CRUX_LOOKUP) {
		size_t count;
		s->constant = crux_trace_tables(p->trace, &count)[node->b].first;
		s->c = (uint32_t)p->table_places[node->b];
	} else if (node->operation == CRUX_SELECT) {
		s->c = place_of(p, program, node->c);
	} else if (node->operation < CRUX_ABS) {
		form = is_constant(p, node->b) ? SECOND_CONSTANT : is_constant(p, node->a) ? FIRST_CONSTANT : REGISTERS;
		s->constant = crux_trace_at(p->trace, form == FIRST_CONSTANT ? node->a : node->b)->low;
	}
	s->form = FORM(node->operation, form);
	if (form != FIRST_CONSTANT)
		s->a = place_of(p, program, node->a);
	bool const has_b = node->operation == CRUX_SELECT || (node->operation < CRUX_ABS && form != SECOND_CONSTANT);
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
		program->input_registers[i] = p->last_use[inputs[i]] ? place_of(p, program, inputs[i]) : UNUSED;
	for (crux_node i = 1; i < p->count; i++) {
		crux_operation const operation = crux_trace_at(p->trace, i)->operation;
		if (p->last_use[i] != 0 && operation != CRUX_CONSTANT && operation != CRUX_INPUT)
			add_step(p, program, i);
	}
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

/* Makes the registers, filling those of constants, and the tables. */
static bool make_memory(const plan *p, crux_program *program)
{
	size_t const lane = program->lane_bits / 8, size = (program->register_count + 1) * CRUX_BATCH * lane;
	program->registers = aligned_alloc(64, size);
	program->tables = malloc((p->table_values + 1) * lane);
	if (!program->registers || !program->tables)
		return false;
	memset(program->registers, 0, size);
	for (crux_node i = 0; i < p->count; i++)
		if (is_constant(p, i) && p->place[i] != UNUSED)
			for (size_t k = 0; k < CRUX_BATCH; k++)
				write(program, program->registers, p->place[i] * (size_t)CRUX_BATCH + k, crux_trace_at(p->trace, i)->low);
	size_t count;
	crux_trace_table const *const tables = crux_trace_tables(p->trace, &count);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < tables[i].count; k++)
			write(program, program->tables, p->table_places[i] + k, tables[i].values[k]);
	return true;
}

static bool make(plan *p, crux_program *program, const crux_node *inputs, size_t input_count, const crux_node *outputs,
                 size_t output_count)
{
	size_t table_count;
	crux_trace_table const *const tables = crux_trace_tables(p->trace, &table_count);
	p->last_use = calloc(p->count, sizeof *p->last_use);
	p->place = malloc(p->count * sizeof *p->place);
	p->free = malloc(p->count * sizeof *p->free);
	p->table_places = malloc((table_count + 1) * sizeof *p->table_places);
	program->steps = calloc(p->count, sizeof *program->steps);
	program->input_registers = malloc((input_count + 1) * sizeof *program->input_registers);
	program->output_registers = malloc((output_count + 1) * sizeof *program->output_registers);
	if (!p->last_use || !p->place || !p->free || !p->table_places || !program->steps || !program->input_registers ||
	    !program->output_registers)
		return false;
	memset(p->place, 0xff, p->count * sizeof *p->place);
	for (size_t i = 0; i < table_count; i++) {
		p->table_places[i] = p->table_values;
		p->table_values += tables[i].count;
	}
	mark_uses(p, outputs, output_count);
	program->lane_bits = lane_bits(p);
	add_steps(p, program, inputs, input_count);
	for (size_t i = 0; i < output_count; i++)
		program->output_registers[i] = place_of(p, program, outputs[i]);
	return make_memory(p, program);
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
	free(p.place);
	free(p.free);
	free(p.table_places);
	if (is_made)
		return program;
	crux_program_free(program);
	return NULL;
}

void crux_program_free(crux_program *program)
{
	if (!program)
		return;
	free(program->steps);
	free(program->registers);
	free(program->tables);
	free(program->input_registers);
	free(program->output_registers);
	free(program);
}

/* So many lanes, and those up to a whole number of the widest vectors. */
static size_t rounded(size_t lanes)
{
	return (lanes + 31) / 32 * 32;
}

void crux_program_load(crux_program *program, size_t input, crux_program_place place, const uint64_t *columns,
                       size_t lanes)
{
	uint32_t const to = program->input_registers[input];
	if (to == UNUSED)
		return;
	if (program->lane_bits == 16)
		load_16(program, to, place, columns, rounded(lanes));
	else if (program->lane_bits == 32)
		load_32(program, to, place, columns, rounded(lanes));
	else
		load_64(program, to, place, columns, rounded(lanes));
}

void crux_program_run(crux_program *program, size_t lanes)
{
	if (program->lane_bits == 16)
		run_16(program, rounded(lanes));
	else if (program->lane_bits == 32)
		run_32(program, rounded(lanes));
	else
		run_64(program, rounded(lanes));
}

void crux_program_store(const crux_program *program, size_t output, crux_program_place place, uint64_t *columns,
                        size_t lanes)
{
	uint32_t const from = program->output_registers[output];
	if (program->lane_bits == 16)
		store_16(program, from, place, columns, rounded(lanes));
	else if (program->lane_bits == 32)
		store_32(program, from, place, columns, rounded(lanes));
	else
		store_64(program, from, place, columns, rounded(lanes));
}

bool crux_program_truths(const crux_program *program, size_t output, size_t lanes, uint8_t *truths, bool always)
{
	uint32_t const from = program->output_registers[output];
	if (program->lane_bits == 16)
		return truths_16(program, from, lanes, truths, always);
	if (program->lane_bits == 32)
		return truths_32(program, from, lanes, truths, always);
	return truths_64(program, from, lanes, truths, always);
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
