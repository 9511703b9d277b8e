/* Runs programs: see program.h. */
#include "trace/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/clones.h"
#include "trace/program_code.h"

/* Loops run over a multiple of this number of lanes. */
enum { LANE_BLOCK = 32 };

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

void crux_program_free(crux_program *program)
{
	if (!program)
		return;
	free(program->code);
	free(program->memory);
	free(program);
}

bool crux_program_bind(crux_program *program, const int64_t *parameters)
{
	int64_t *const scalars = program->scalars;
	for (crux_parameter_slot const *slot = program->slots; slot < program->slots + program->slot_count; slot++) {
		if (slot->kind == CRUX_TO_SCALAR)
			scalars[slot->to] = parameters[slot->from];
		for (size_t i = 0; slot->kind == CRUX_TO_TABLE && i < slot->count; i++)
			crux_program_write(program, program->tables, slot->to + i, parameters[slot->from + i]);
	}
	for (crux_uniform_step const *s = program->uniforms; s < program->uniforms + program->uniform_count; s++)
		scalars[s->out] = crux_operation_evaluate(s->operation, scalars[s->a], scalars[s->b], scalars[s->c]);
	for (size_t i = 0; i < program->assumption_count; i++)
		if (scalars[program->assumptions[i].scalar] != program->assumptions[i].value)
			return false;
	for (crux_program_step *s = program->steps; s < program->steps + program->step_count; s++)
		if (s->scalar != CRUX_UNUSED)
			s->uniform = scalars[s->scalar];
	for (crux_constant_register const *r = program->constants; r < program->constants + program->constant_count; r++)
		IN_LANES(program, fill, r);
	return true;
}

void crux_program_set_lane(crux_program *program, size_t lane, const int64_t *parameters)
{
	size_t const stride = crux_program_stride(program->lane_bits / 8);
	for (crux_parameter_slot const *slot = program->slots; slot < program->slots + program->slot_count; slot++)
		crux_program_write(program, program->registers, slot->to * stride + lane, parameters[slot->from]);
}

size_t crux_program_rounded(size_t lanes)
{
	return (lanes + LANE_BLOCK - 1) / LANE_BLOCK * LANE_BLOCK;
}

void crux_program_load(crux_program *program, size_t input, crux_state_place place, const uint64_t *columns,
                       size_t lanes)
{
	uint32_t const to = program->input_registers[input];
	if (to != CRUX_UNUSED)
		IN_LANES(program, load, to, place, columns, crux_program_rounded(lanes));
}

void crux_program_run(crux_program *program, size_t lanes)
{
	IN_LANES(program, run, 0, program->shared_steps, crux_program_rounded(lanes));
}

size_t crux_program_guarded(const crux_program *program, size_t number, size_t lanes, uint8_t *truths, uint16_t *guarded)
{
	size_t count = 0;
	if (!IN_LANES(program, truths, program->guard_registers[number], lanes, truths))
		return 0;
	memset(truths + lanes, 0, 8);
	for (size_t first = 0; first < lanes; first += 8) {
		uint64_t eight;
		memcpy(&eight, truths + first, sizeof eight);
		for (size_t lane = first; eight != 0 && lane < first + 8; lane++) {
			guarded[count] = (uint16_t)lane;
			count += truths[lane] != 0;
		}
	}
	return count;
}

void crux_program_run_part(crux_program *program, size_t number, uint16_t *lanes, size_t count)
{
	crux_program_part const before = number > 0 ? program->parts[number - 1] : (crux_program_part){program->shared_steps, 0};
	crux_program_part const *const end = &program->parts[number];
	for (size_t i = count; i < crux_program_rounded(count); i++)
		lanes[i] = lanes[0];
	for (size_t i = before.imports; i < end->imports; i++)
		IN_LANES(program, gather, program->imports[i].from, program->imports[i].to, lanes, crux_program_rounded(count));
	IN_LANES(program, run, before.steps, end->steps, crux_program_rounded(count));
}

void crux_program_store_shared(const crux_program *program, crux_state_place place, uint64_t *columns, size_t lanes)
{
	IN_LANES(program, store, program->guard_registers[program->part_count], place, columns, crux_program_rounded(lanes));
}

void crux_program_replace(const crux_program *program, size_t output, crux_state_place place, uint64_t *keys, size_t words,
                          const uint32_t *rows, size_t lanes)
{
	uint32_t const from = program->output_registers[output];
	if (from != CRUX_UNUSED)
		IN_LANES(program, replace, from, place, keys, words, rows, lanes);
}

void crux_program_store(const crux_program *program, size_t output, crux_state_place place, uint64_t *columns,
                        size_t lanes)
{
	uint32_t const from = program->output_registers[output];
	IN_LANES(program, store, from, place, columns, crux_program_rounded(lanes));
}

bool crux_program_truths(const crux_program *program, size_t output, size_t lanes, uint8_t *truths)
{
	uint32_t const from = program->output_registers[output];
	return IN_LANES(program, truths, from, lanes, truths);
}

void crux_program_feed(crux_program *program, size_t count, size_t lanes)
{
	size_t const lane = program->lane_bits / 8, stride = crux_program_stride(lane) * lane;
	char *const registers = program->registers, *const room = registers + program->register_count * stride;
	for (size_t i = 0; i < count; i++)
		memcpy(room + i * stride, registers + program->output_registers[i] * stride, crux_program_rounded(lanes) * lane);
	for (size_t i = 0; i < count; i++)
		if (program->input_registers[i] != CRUX_UNUSED)
			memcpy(registers + program->input_registers[i] * stride, room + i * stride, crux_program_rounded(lanes) * lane);
}

crux_program_size crux_program_measure(const crux_program *program)
{
	return (crux_program_size){program->step_count, program->register_count, program->lane_bits, program->widest};
}
