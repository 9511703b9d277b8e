/* Makes programs of traces: which operations, in which order and which registers. */
#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "trace/closure.h"
#include "trace/program_code.h"

/* Facts about the nodes of a trace, for making its program. */
typedef struct plan {
	const crux_trace *trace;
	crux_node count;
	crux_node *last_use; /* the last node that needs it, or FOREVER; 0: not needed */
	bool *is_in_lanes;   /* lanes need it, not only uniform values */
	uint32_t *place;     /* register; CRUX_UNUSED: none yet */
	uint32_t *scalar;    /* of a uniform value; CRUX_UNUSED: none yet */
	uint32_t *free;      /* registers that are free again */
	size_t free_count;
	uint32_t *owner;     /* number of the only part, from 1, that needs the node; SHARED; 0: none */
	bool *is_imported;   /* a part needs it */
	uint32_t part;       /* that is planned, from 1; SHARED */
	uint32_t *import_to; /* the node's register in the part import_part */
	uint32_t *import_part;
	size_t *table_places;
	void *block; /* of these arrays */
} plan;

/* The last use of an output. */
#define FOREVER UINT32_MAX

/* The owner of what several parts, or guards, need; of all nodes in a program without parts. */
#define SHARED UINT32_MAX

static void use(plan *p, crux_node node, crux_node by, uint32_t owner)
{
	p->owner[node] = p->owner[node] == 0 || p->owner[node] == owner ? owner : SHARED;
	p->is_imported[node] |= owner != SHARED;
	if (by > p->last_use[node])
		p->last_use[node] = by;
	p->is_in_lanes[node] |= by == FOREVER || !p->trace->nodes[by].is_uniform;
}

static bool is_constant(const plan *p, crux_node node)
{
	return p->trace->nodes[node].operation == CRUX_CONSTANT;
}

static bool is_uniform(const plan *p, crux_node node) { return p->trace->nodes[node].is_uniform; }

/* Sets the last use of the operands of the closure whose first word is node i; of the first word, when it is another one. */
static void use_closure(plan *p, const crux_trace_closure *c, crux_node i)
{
	if (i != c->first)
		use(p, c->first, c->first, p->owner[i]);
	for (crux_node word = i == c->first ? 0 : c->shape.words; word < c->shape.words; word++)
		p->owner[i + word] = p->owner[i];
	for (size_t k = 0; i == c->first && k < crux_closure_operands(c->kind, c->shape); k++)
		use(p, c->operands[k], i, p->owner[i]);
}

/* Sets the last use of all nodes that outputs, guards and assumptions need. */
static void mark_uses(plan *p, const crux_node *outputs, size_t output_count, const crux_node *guards, size_t parts)
{
	crux_node const *const assumptions = p->trace->assumptions;
	for (size_t i = 0; i < output_count; i++)
		use(p, outputs[i], FOREVER, parts ? (uint32_t)(i / (output_count / parts)) + 1 : SHARED);
	for (size_t i = 0; parts && i <= parts; i++)
		use(p, guards[i], FOREVER, SHARED);
	for (size_t i = 0; i < p->trace->assumption_count; i++)
		use(p, assumptions[i], assumptions[i], SHARED);
	for (crux_node i = p->count; i-- > 1;) {
		crux_trace_node const *const node = &p->trace->nodes[i];
		if (node->operation == CRUX_INPUT)
			p->owner[i] = SHARED;
		bool const is_kept = p->owner[i] == SHARED && p->is_imported[i];
		if (p->last_use[i] != 0 && (is_kept || (node->operation == CRUX_PARAMETER && !node->is_uniform)))
			p->last_use[i] = FOREVER; /* a parameter is set once, for many runs */
		if (p->last_use[i] == 0 || node->operation <= CRUX_PARAMETER)
			continue;
		if (node->operation == CRUX_CLOSURE) {
			use_closure(p, &p->trace->closures[node->a], i);
			continue;
		}
		use(p, node->a, i, p->owner[i]);
		if (node->operation != CRUX_LOOKUP)
			use(p, node->b, i, p->owner[i]);
		use(p, node->c, i, p->owner[i]);
	}
}

/* The bits of the narrowest lanes that hold a number. */
static unsigned bits_of(int64_t value)
{
	return value == (int16_t)value ? 16 : value == (int32_t)value ? 32 : 64;
}

/* The bits of the narrowest lanes that hold the operands and the result of a node. */
static unsigned bits_for(const plan *p, crux_node number)
{
	crux_trace_node const *const node = &p->trace->nodes[number];
	bool const is_of_bits = node->operation == CRUX_SHIFT_RIGHT || node->operation == CRUX_COUNT;
	if (is_of_bits && !node->is_uniform && p->trace->nodes[node->a].low < 0)
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
	if (p->last_use[node] == by && p->place[node] != CRUX_UNUSED && !is_uniform(p, node)) {
		p->free[p->free_count++] = p->place[node];
		p->last_use[node] = by - 1; /* an operand may occur twice */
	}
}

/* The scalar that holds a uniform value. */
static uint32_t scalar_of(plan *p, crux_program *program, crux_node node)
{
	if (p->scalar[node] == CRUX_UNUSED)
		p->scalar[node] = (uint32_t)program->scalar_count++;
	return p->scalar[node];
}

/* The register of an operand; a uniform one keeps its register. */
static uint32_t place_of(plan *p, crux_program *program, crux_node node)
{
	if (p->place[node] == CRUX_UNUSED) {
		p->place[node] = (uint32_t)program->register_count++;
		if (is_uniform(p, node))
			program->constants[program->constant_count++] =
				(crux_constant_register){p->place[node], scalar_of(p, program, node)};
	}
	return p->place[node];
}

/* True when the part that is planned gets the node from lanes of the shared steps. */
static bool is_import(const plan *p, crux_node node)
{
	return p->part != SHARED && p->owner[node] == SHARED && !is_uniform(p, node);
}

/* The register of an operand of a step, or of an output, of the part that is planned. */
static uint32_t register_of(plan *p, crux_program *program, crux_node node)
{
	return is_import(p, node) ? p->import_to[node] : place_of(p, program, node);
}

/* Adds an import of the part that is planned, if the node needs one. */
static void add_import(plan *p, crux_program *program, crux_node node)
{
	if (!is_import(p, node) || p->import_part[node] == p->part)
		return;
	p->import_part[node] = p->part;
	p->import_to[node] = take_register(p, program);
	program->imports[program->import_count++] = (crux_program_import){p->place[node], p->import_to[node]};
}

/* Adds the imports of the operands of a node. */
static void add_imports(plan *p, crux_program *program, crux_node number)
{
	crux_trace_node const *const node = &p->trace->nodes[number];
	if (node->operation == CRUX_CLOSURE) {
		crux_trace_closure const *const c = &p->trace->closures[node->a];
		for (size_t i = 0; i < crux_closure_operands(c->kind, c->shape); i++)
			add_import(p, program, c->operands[i]);
		return;
	}
	add_import(p, program, node->a);
	if (node->operation != CRUX_LOOKUP)
		add_import(p, program, node->b);
	add_import(p, program, node->c);
}

static void add_uniform_step(plan *p, crux_program *program, crux_node number)
{
	crux_trace_node const *const node = &p->trace->nodes[number];
	uint32_t const a = scalar_of(p, program, node->a), b = scalar_of(p, program, node->b);
	uint32_t const c = scalar_of(p, program, node->c);
	program->uniforms[program->uniform_count++] = (crux_uniform_step){node->operation, scalar_of(p, program, number), a, b, c};
}

static bool is_shift(const crux_trace_node *node)
{
	return node->operation == CRUX_SHIFT_LEFT || node->operation == CRUX_SHIFT_RIGHT;
}

/* True when an operation takes an operand as a scalar. Numbers of places to shift by must be constants: only then are they
 * known to be less than the width of lanes. */
static bool takes_scalar(const plan *p, const crux_trace_node *node, crux_node operand)
{
	return is_constant(p, operand) || (is_uniform(p, operand) && !(is_shift(node) && operand == node->b));
}

static void add_step(plan *p, crux_program *program, crux_node number)
{
	crux_trace_node const *const node = &p->trace->nodes[number];
	crux_program_step *s = &program->steps[program->step_count++];
	crux_operands form = CRUX_REGISTERS;
	s->scalar = CRUX_UNUSED;
	if (node->operation == CRUX_LOOKUP) {
		s->uniform = p->trace->tables[node->b].first;
		s->c = (uint32_t)p->table_places[node->b];
	} else if (node->operation == CRUX_SELECT) {
		s->c = register_of(p, program, node->c);
	} else if (node->operation < CRUX_ABS) {
		form = takes_scalar(p, node, node->b)   ? CRUX_SECOND_UNIFORM
		       : takes_scalar(p, node, node->a) ? CRUX_FIRST_UNIFORM
		                                        : CRUX_REGISTERS;
		if (form != CRUX_REGISTERS)
			s->scalar = scalar_of(p, program, form == CRUX_FIRST_UNIFORM ? node->a : node->b);
		else if (is_shift(node) && p->trace->nodes[node->b].high < program->lane_bits)
			form = CRUX_NARROW;
	}
	s->form = CRUX_FORM(node->operation, form);
	if (form != CRUX_FIRST_UNIFORM)
		s->a = register_of(p, program, node->a);
	bool const has_b = node->operation == CRUX_SELECT || (node->operation < CRUX_ABS && form != CRUX_SECOND_UNIFORM);
	if (has_b)
		s->b = register_of(p, program, node->b);
	release(p, node->a, number);
	if (has_b)
		release(p, node->b, number);
	if (node->operation == CRUX_SELECT)
		release(p, node->c, number);
	s->out = p->place[number] = take_register(p, program);
}

/* Adds a step for all words of a closure, of which `first` is the first. Results do not replace operands. */
static void add_closure(plan *p, crux_program *program, crux_node first)
{
	crux_trace_closure const *const from = &p->trace->closures[p->trace->nodes[first].a];
	size_t const count = crux_closure_operands(from->kind, from->shape);
	crux_program_closure *const to = &program->closures[program->closure_count++];
	*to = (crux_program_closure){from->kind, from->shape, program->closure_registers, program->closure_landings};
	program->closure_registers += count + from->shape.words;
	program->closure_landings += 2 * from->shape.words;
	crux_closure_landing(from->shape, to->landing);
	for (size_t i = 0; i < count; i++)
		to->registers[i] = register_of(p, program, from->operands[i]);
	for (crux_node word = 0; word < from->shape.words; word++)
		to->registers[count + word] = p->place[first + word] = take_register(p, program);
	for (size_t i = 0; i < count; i++)
		release(p, from->operands[i], first);
	for (crux_node word = 0; word < from->shape.words; word++)
		if (p->last_use[first + word] <= first)
			p->free[p->free_count++] = p->place[first + word];
	crux_program_step *const s = &program->steps[program->step_count++];
	*s = (crux_program_step){.form = CRUX_FORM(CRUX_CLOSURE, CRUX_REGISTERS),
	                         .a = (uint32_t)program->closure_count - 1,
	                         .scalar = CRUX_UNUSED};
}

static void add_inputs(plan *p, crux_program *program, const crux_node *inputs, size_t input_count)
{
	for (size_t i = 0; i < input_count; i++)
		program->input_registers[i] =
			p->last_use[inputs[i]] && !is_constant(p, inputs[i]) ? place_of(p, program, inputs[i]) : CRUX_UNUSED;
}

/* Adds the step of a node that is needed. */
static void add_node(plan *p, crux_program *program, crux_node i)
{
	crux_trace_node const *const node = &p->trace->nodes[i];
	if (node->operation == CRUX_CLOSURE && p->trace->closures[node->a].first == i)
		add_closure(p, program, i);
	else if (node->operation != CRUX_CLOSURE && node->is_uniform)
		add_uniform_step(p, program, i);
	else if (node->operation != CRUX_CLOSURE)
		add_step(p, program, i);
}

static bool is_step(const plan *p, crux_node i)
{
	return p->last_use[i] != 0 && p->trace->nodes[i].operation > CRUX_PARAMETER;
}

static void add_shared_steps(plan *p, crux_program *program)
{
	p->part = SHARED;
	for (crux_node i = 1; i < p->count; i++)
		if (is_step(p, i) && (p->owner[i] == SHARED || is_uniform(p, i)))
			add_node(p, program, i);
	program->shared_steps = program->step_count;
}

/* Adds the steps and outputs of each part; next[i] is the next node of the same part as node i, first[part] its first node. */
static void add_parts(plan *p, crux_program *program, const crux_node *inputs, const crux_node *outputs, size_t outputs_of_part,
                      size_t input_count, const crux_node *first, const crux_node *next)
{
	for (size_t k = 0; k < program->part_count; k++) {
		size_t const imports = program->import_count, end = (k + 1) * outputs_of_part;
		p->part = (uint32_t)k + 1;
		for (crux_node i = first[k]; i; i = next[i]) /* before the steps, whose results must not replace them */
			add_imports(p, program, i);
		for (size_t i = k * outputs_of_part, number = 0; i < end; i++, number++)
			if (number >= input_count || outputs[i] != inputs[number])
				add_import(p, program, outputs[i]);
		for (crux_node i = first[k]; i; i = next[i])
			add_node(p, program, i);
		for (size_t i = k * outputs_of_part, number = 0; i < end; i++, number++) {
			bool const is_same = number < input_count && outputs[i] == inputs[number];
			program->output_registers[i] = is_same ? CRUX_UNUSED : register_of(p, program, outputs[i]);
		}
		for (crux_node i = first[k]; i; i = next[i])
			if (p->last_use[i] == FOREVER)
				p->free[p->free_count++] = p->place[i];
		for (size_t i = imports; i < program->import_count; i++)
			p->free[p->free_count++] = program->imports[i].to;
		program->parts[k] = (crux_program_part){program->step_count, program->import_count};
	}
}

/* Sorts the nodes by part and adds the parts; false when memory is short. */
static bool plan_parts(plan *p, crux_program *program, const crux_node *inputs, size_t input_count, const crux_node *outputs,
                       size_t output_count)
{
	crux_node *first, *next;
	crux_array const lists[] = {CRUX_ARRAY(first, program->part_count), CRUX_ARRAY(next, p->count)};
	void *const block = crux_block_new(lists, sizeof lists / sizeof *lists);
	if (!block)
		return false;
	for (crux_node i = p->count; i-- > 1;) {
		if (!is_step(p, i) || p->owner[i] == SHARED || is_uniform(p, i))
			continue;
		next[i] = first[p->owner[i] - 1];
		first[p->owner[i] - 1] = i;
	}
	add_parts(p, program, inputs, outputs, output_count / program->part_count, input_count, first, next);
	free(block);
	return true;
}

static void add_assumptions(plan *p, crux_program *program)
{
	crux_node const *const nodes = p->trace->assumptions;
	for (size_t i = 0; i < p->trace->assumption_count; i++)
		program->assumptions[program->assumption_count++] =
			(crux_assumption){scalar_of(p, program, nodes[i]), p->trace->nodes[nodes[i]].value};
}

/* Adds a slot for each parameter and parameter table that is used. */
static void add_slots(plan *p, crux_program *program)
{
	for (crux_node i = 1; i < p->count; i++) {
		crux_trace_node const *const node = &p->trace->nodes[i];
		uint32_t const to = node->is_uniform ? p->scalar[i] : p->place[i];
		if (node->operation == CRUX_PARAMETER && to != CRUX_UNUSED)
			program->slots[program->slot_count++] =
				(crux_parameter_slot){node->is_uniform ? CRUX_TO_SCALAR : CRUX_TO_LANE, node->a, 1, to};
	}
	crux_trace_table const *const tables = p->trace->tables;
	for (size_t i = 0; i < p->trace->table_count; i++)
		if (!tables[i].values)
			program->slots[program->slot_count++] =
				(crux_parameter_slot){CRUX_TO_TABLE, tables[i].place, tables[i].count, p->table_places[i]};
}

static size_t const max_bytes = (size_t)64 << 20; /* of registers, as crux_traced_refuse_size says; programs of games take 100 kB */

/* Makes the registers and `room` more for crux_program_feed, the scalars with the constants, and the tables with the known values;
 * false when memory is short or the registers take more than max_bytes. */
static bool make_memory(const plan *p, crux_program *program, size_t room)
{
	size_t const lane = program->lane_bits / 8, size = (program->register_count + room + 1) * crux_program_stride(lane) * lane;
	crux_array const arrays[] = {
		CRUX_ARRAY(program->registers, size),
		CRUX_ARRAY(program->tables, program->value_count * lane),
		CRUX_ARRAY(program->scalars, program->scalar_count),
	};
	program->memory = size <= max_bytes ? crux_block_new(arrays, sizeof arrays / sizeof *arrays) : NULL;
	if (!program->memory)
		return false;
	for (crux_node i = 0; i < p->count; i++)
		if (is_constant(p, i) && p->scalar[i] != CRUX_UNUSED)
			program->scalars[p->scalar[i]] = p->trace->nodes[i].low;
	crux_trace_table const *const tables = p->trace->tables;
	for (size_t i = 0; i < p->trace->table_count; i++)
		for (size_t k = 0; tables[i].values && k < tables[i].count; k++)
			crux_program_write(program, program->tables, p->table_places[i] + k, tables[i].values[k]);
	return true;
}

/* The words of all closures. */
static size_t closure_words(const crux_trace *trace)
{
	size_t words = 0;
	for (size_t i = 0; i < trace->closure_count; i++)
		words += trace->closures[i].shape.words;
	return words;
}

static bool allocate(plan *p, crux_program *program, size_t table_count, size_t input_count, size_t output_count, size_t parts)
{
	size_t const words = closure_words(p->trace);
	crux_array const scratch[] = {
		CRUX_ARRAY(p->owner, p->count),        CRUX_ARRAY(p->is_imported, p->count), CRUX_ARRAY(p->import_to, p->count),
		CRUX_ARRAY(p->import_part, p->count),
		CRUX_ARRAY(p->last_use, p->count), CRUX_ARRAY(p->is_in_lanes, p->count), CRUX_ARRAY(p->place, p->count),
		CRUX_ARRAY(p->scalar, p->count),   CRUX_ARRAY(p->free, 2 * p->count),    CRUX_ARRAY(p->table_places, table_count),
	};
	crux_array const code[] = {
		CRUX_ARRAY(program->steps, p->count),
		CRUX_ARRAY(program->uniforms, p->count),
		CRUX_ARRAY(program->constants, p->count),
		CRUX_ARRAY(program->slots, p->count + table_count),
		CRUX_ARRAY(program->assumptions, p->count),
		CRUX_ARRAY(program->input_registers, input_count),
		CRUX_ARRAY(program->output_registers, output_count),
		CRUX_ARRAY(program->parts, parts),
		CRUX_ARRAY(program->guard_registers, parts + 1),
		CRUX_ARRAY(program->imports, parts ? 3 * p->count + CRUX_CLOSURE_BOARDS * words + output_count : 0),
		CRUX_ARRAY(program->closures, p->trace->closure_count),
		CRUX_ARRAY(program->closure_registers, (CRUX_CLOSURE_BOARDS + 1) * words),
		CRUX_ARRAY(program->closure_landings, 2 * words),
	};
	p->block = crux_block_new(scratch, sizeof scratch / sizeof *scratch);
	program->code = crux_block_new(code, sizeof code / sizeof *code);
	return p->block && program->code;
}

/* Replaces the registers of all steps by their first lanes. */
static void place_registers(crux_program *program)
{
	uint32_t const stride = (uint32_t)crux_program_stride(program->lane_bits / 8);
	for (crux_program_step *s = program->steps; s < program->steps + program->step_count; s++) {
		s->out *= stride;
		s->b *= stride;
		s->a *= s->form == CRUX_FORM(CRUX_CLOSURE, CRUX_REGISTERS) ? 1 : stride;
		s->c *= s->form == CRUX_FORM(CRUX_SELECT, CRUX_REGISTERS) ? stride : 1;
	}
}

static bool make(plan *p, crux_program *program, const crux_node *inputs, size_t input_count, const crux_node *outputs,
                 size_t output_count, const crux_node *guards, size_t parts)
{
	if (!allocate(p, program, p->trace->table_count, input_count, output_count, parts))
		return false;
	program->part_count = parts;
	memset(p->place, 0xff, p->count * sizeof *p->place);
	memset(p->scalar, 0xff, p->count * sizeof *p->scalar);
	for (size_t i = 0; i < p->trace->table_count; i++) {
		p->table_places[i] = program->value_count;
		program->value_count += p->trace->tables[i].count;
	}
	mark_uses(p, outputs, output_count, guards, parts);
	choose_lanes(p, program);
	add_inputs(p, program, inputs, input_count);
	add_shared_steps(p, program);
	for (size_t i = 0; parts && i <= parts; i++)
		program->guard_registers[i] = place_of(p, program, guards[i]);
	for (size_t i = 0; !parts && i < output_count; i++)
		program->output_registers[i] = place_of(p, program, outputs[i]);
	if (parts && !plan_parts(p, program, inputs, input_count, outputs, output_count))
		return false;
	place_registers(program);
	add_assumptions(p, program);
	add_slots(p, program);
	return make_memory(p, program, p->trace->varies ? output_count : 0);
}

crux_program *crux_program_new(const crux_trace *trace, const crux_node *inputs, size_t input_count,
                               const crux_node *outputs, size_t output_count)
{
	return crux_program_new_in_parts(trace, inputs, input_count, outputs, output_count, NULL, 0);
}

crux_program *crux_program_new_in_parts(const crux_trace *trace, const crux_node *inputs, size_t input_count,
                                        const crux_node *outputs, size_t output_count, const crux_node *guards, size_t parts)
{
	crux_program *program = calloc(1, sizeof *program);
	if (!program)
		return NULL;
	plan p = {.trace = trace, .count = trace->count};
	bool const is_made = make(&p, program, inputs, input_count, outputs, output_count, guards, parts);
	free(p.block);
	if (!is_made) {
		crux_program_free(program);
		return NULL;
	}
	if (trace->parameter_count == 0 || trace->varies)
		crux_program_bind(program, NULL);
	return program;
}
