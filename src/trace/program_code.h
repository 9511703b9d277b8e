/* The parts of a program, which program_plan.c writes and program.c runs. */
#pragma once

#include "trace/closure.h"
#include "trace/program.h"

/* The kinds of operands: registers, or uniform, which is the same for all lanes. A choice has registers only. A narrow shift
 * takes registers, by fewer places than lanes have bits. */
typedef enum { CRUX_REGISTERS, CRUX_SECOND_UNIFORM, CRUX_FIRST_UNIFORM, CRUX_NARROW, CRUX_OPERAND_FORMS } crux_operands;

#define CRUX_FORM(operation, operands) ((operation) * CRUX_OPERAND_FORMS + (operands))

typedef struct crux_program_step {
	uint32_t form;
	uint32_t out, a, b, c; /* first lanes of registers; c of a lookup is the place of the table, a of a closure its number */
	uint32_t scalar;       /* of the uniform operand; CRUX_UNUSED: there is none */
	int64_t uniform;       /* the uniform operand; of a lookup, the index of the table's first value */
} crux_program_step;

/* A uniform value that is computed from others. */
typedef struct crux_uniform_step {
	crux_operation operation;
	uint32_t out, a, b, c; /* scalars */
} crux_uniform_step;

/* The value that a scalar must have. */
typedef struct crux_assumption {
	uint32_t scalar;
	int64_t value;
} crux_assumption;

/* A register with the same value in all lanes. */
typedef struct crux_constant_register {
	uint32_t to, scalar;
} crux_constant_register;

/* A closure: the registers of its operands and then of its result. */
typedef struct crux_program_closure {
	crux_closure_kind kind;
	crux_board_shape shape;
	uint32_t *registers;
	uint64_t *landing;
} crux_program_closure;

/* A register that a part gets from the lanes in which its guard holds. */
typedef struct crux_program_import {
	uint32_t from, to;
} crux_program_import;

/* Ends of the steps and of the imports of a part, which begin where those of the part before end. */
typedef struct crux_program_part {
	size_t steps, imports;
} crux_program_part;

/* The place of parameters, numbers `from` on: a scalar, a lane of a register, or values of a table. */
typedef struct crux_parameter_slot {
	enum { CRUX_TO_SCALAR, CRUX_TO_LANE, CRUX_TO_TABLE } kind;
	size_t from, count, to;
} crux_parameter_slot;

struct crux_program {
	unsigned lane_bits;
	crux_node widest;
	size_t step_count, register_count, scalar_count, value_count, uniform_count, constant_count, slot_count, assumption_count;
	size_t shared_steps, import_count, part_count, closure_count;
	void *code; /* block of the next twelve */
	crux_program_step *steps;
	crux_uniform_step *uniforms;
	crux_constant_register *constants;
	crux_parameter_slot *slots;
	crux_assumption *assumptions;
	uint32_t *input_registers; /* CRUX_UNUSED: not needed */
	uint32_t *output_registers; /* CRUX_UNUSED: the input of that number, of a part */
	crux_program_part *parts;
	uint32_t *guard_registers;
	crux_program_import *imports;
	crux_program_closure *closures;
	uint32_t *closure_registers;
	uint64_t *closure_landings;
	void *memory; /* block of the next three */
	char *registers; /* register_count batches */
	char *tables;    /* values as wide as lanes */
	int64_t *scalars;
};

#define CRUX_UNUSED UINT32_MAX

/* Lanes from one register to the next: a batch and one cache line, so that registers do not map to the same few sets of the
 * cache. */
static inline size_t crux_program_stride(size_t lane_bytes)
{
	return CRUX_BATCH + 64 / lane_bytes;
}

/* Writes the value of an index in registers or tables. */
static inline void crux_program_write(const crux_program *program, void *to, size_t index, int64_t value)
{
	if (program->lane_bits == 16)
		((int16_t *)to)[index] = (int16_t)value;
	else if (program->lane_bits == 32)
		((int32_t *)to)[index] = (int32_t)value;
	else
		((int64_t *)to)[index] = value;
}
