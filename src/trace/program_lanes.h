/* The loops of program.c for one width of lanes, included once for each width.
 *
 * LANE is its type, UNSIGNED_LANE the unsigned type, WIDTH(name) a name for that width. */

/* A loop over the first `lanes` lanes, rounded up to whole blocks: the compiler makes a few instructions of a block, without a
 * test. A result may replace an operand. */
#define FOR_LANES                                                            \
	for (ptrdiff_t block = 0; block < (ptrdiff_t)lanes; block += LANE_BLOCK) \
		CRUX_IVDEP for (ptrdiff_t i = block; i < block + LANE_BLOCK; i++)

#define CASE(form, first, second, expression) \
	case form:                                \
		FOR_LANES                             \
		{                                     \
			LANE const x = first, y = second; \
			out[i] = (LANE)(expression);      \
		}                                     \
		break;

#define PAIR(operation, expression)                                                     \
	CASE(CRUX_FORM(operation, CRUX_REGISTERS), a[i], b[i], expression)                  \
	CASE(CRUX_FORM(operation, CRUX_SECOND_UNIFORM), a[i], (LANE)s->uniform, expression) \
	CASE(CRUX_FORM(operation, CRUX_FIRST_UNIFORM), (LANE)s->uniform, b[i], expression)

#define SINGLE(operation, expression)          \
	case CRUX_FORM(operation, CRUX_REGISTERS): \
		FOR_LANES                              \
		{                                      \
			LANE const x = a[i];               \
			out[i] = (LANE)(expression);       \
		}                                      \
		break;

/* A uniform number of places (a constant) is always less than the width of lanes: else ranges would not fit, or the result would
 * be the constant 0. */
#define SHIFT(operation, symbol)                             \
	case CRUX_FORM(operation, CRUX_REGISTERS):               \
		FOR_LANES                                            \
		{                                                    \
			uint64_t const x = U(a[i]);                      \
			out[i] = (LANE)(x symbol (b[i] & 63));           \
		}                                                    \
		break;                                               \
	case CRUX_FORM(operation, CRUX_SECOND_UNIFORM): {        \
		int const places = (int)s->uniform;                  \
		FOR_LANES                                            \
		{                                                    \
			UNSIGNED_LANE const x = U(a[i]);                 \
			out[i] = (LANE)(UNSIGNED_LANE)(x symbol places); \
		}                                                    \
		break;                                               \
	}                                                        \
	case CRUX_FORM(operation, CRUX_NARROW):                  \
		FOR_LANES                                            \
		{                                                    \
			UNSIGNED_LANE const x = U(a[i]);                 \
			out[i] = (LANE)(UNSIGNED_LANE)(x symbol b[i]);   \
		}                                                    \
		break;                                               \
	case CRUX_FORM(operation, CRUX_FIRST_UNIFORM): {         \
		uint64_t const x = U(s->uniform);                    \
		FOR_LANES out[i] = (LANE)(x symbol (b[i] & 63));     \
		break;                                               \
	}

#define U(x) ((UNSIGNED_LANE)(x))

#define STRIDE crux_program_stride(sizeof(LANE))

/* Runs a closure in all lanes. */
static void WIDTH(close)(const crux_program_closure *c, LANE *registers, size_t lanes)
{
	crux_closure_row rows[CRUX_CLOSURE_BOARDS * CRUX_BOARD_WORDS];
	size_t const count = crux_closure_operands(c->kind, c->shape);
	for (size_t first = 0; first < lanes; first += CRUX_CLOSURE_LANES) {
		for (size_t k = 0; k < count; k++)
			for (size_t i = 0; i < CRUX_CLOSURE_LANES; i++)
				rows[k][i] = U(registers[c->registers[k] * STRIDE + first + i]);
		crux_closure_run(c->kind, c->shape, c->landing, rows);
		for (size_t k = 0; k < c->shape.words; k++)
			for (size_t i = 0; i < CRUX_CLOSURE_LANES; i++)
				registers[c->registers[count + k] * STRIDE + first + i] = (LANE)rows[k][i];
	}
}

CRUX_CLONES static void WIDTH(run)(const crux_program *program, size_t from, size_t end, size_t lanes)
{
	LANE *const registers = (LANE *)(void *)program->registers;
	for (crux_program_step const *s = program->steps + from; s < program->steps + end; s++) {
		LANE *const out = registers + s->out;
		LANE const *const a = registers + s->a, *const b = registers + s->b;
		switch (s->form) {
			PAIR(CRUX_AND, x & y)
			PAIR(CRUX_OR, x | y)
			PAIR(CRUX_XOR, x ^ y)
			PAIR(CRUX_AND_NOT, x & ~y)
			PAIR(CRUX_ADD, U(x) + U(y))
			PAIR(CRUX_SUBTRACT, U(x) - U(y))
			PAIR(CRUX_MULTIPLY, (uint64_t)x * (uint64_t)y)
			SHIFT(CRUX_SHIFT_LEFT, <<)
			SHIFT(CRUX_SHIFT_RIGHT, >>)
			PAIR(CRUX_EQUAL, -(x == y))
			PAIR(CRUX_UNEQUAL, -(x != y))
			PAIR(CRUX_LESS, -(x < y))
			PAIR(CRUX_LESS_EQUAL, -(x <= y))
			PAIR(CRUX_MIN, x < y ? x : y)
			PAIR(CRUX_MAX, x > y ? x : y)
			SINGLE(CRUX_ABS, x < 0 ? 0 - U(x) : U(x))
			SINGLE(CRUX_SIGN, (x > 0) - (x < 0))
			SINGLE(CRUX_COUNT, __builtin_popcountll((uint64_t)U(x)))
		case CRUX_FORM(CRUX_SELECT, CRUX_REGISTERS): {
			LANE const *const c = registers + s->c;
			FOR_LANES out[i] = (LANE)((b[i] & a[i]) | (c[i] & ~a[i]));
			break;
		}
		case CRUX_FORM(CRUX_LOOKUP, CRUX_REGISTERS): {
			LANE const *const table = (LANE const *)(void *)program->tables + s->c;
			UNSIGNED_LANE const first = (UNSIGNED_LANE)s->uniform;
			FOR_LANES out[i] = table[(UNSIGNED_LANE)(U(a[i]) - first)];
			break;
		}
		case CRUX_FORM(CRUX_CLOSURE, CRUX_REGISTERS):
			WIDTH(close)(&program->closures[s->a], registers, lanes);
			break;
		}
	}
}

CRUX_CLONES static void WIDTH(fill)(const crux_program *program, const crux_constant_register *r)
{
	size_t const lanes = CRUX_BATCH;
	LANE *const out = (LANE *)(void *)program->registers + r->to * STRIDE, value = (LANE)program->scalars[r->scalar];
	if (*out == value) /* as for the last level */
		return;
	FOR_LANES out[i] = value;
}

CRUX_CLONES static void WIDTH(load)(const crux_program *program, size_t index, crux_state_place place, const uint64_t *columns,
                               size_t lanes)
{
	LANE *const out = (LANE *)(void *)program->registers + index * STRIDE;
	uint64_t const *const word = columns + place.word * CRUX_COLUMN, *const next = word + CRUX_COLUMN;
	uint64_t const mask = UINT64_MAX >> (64 - place.bits), low = (uint64_t)place.low;
	if (place.shift + place.bits <= 64) {
		FOR_LANES out[i] = (LANE)((word[i] >> place.shift & mask) + low);
	} else {
		FOR_LANES out[i] = (LANE)(((word[i] >> place.shift | next[i] << (64 - place.shift)) & mask) + low);
	}
}

CRUX_CLONES static void WIDTH(store)(const crux_program *program, size_t index, crux_state_place place, uint64_t *columns,
                                size_t lanes)
{
	LANE const *const from = (LANE const *)(void *)program->registers + index * STRIDE;
	uint64_t *const word = columns + place.word * CRUX_COLUMN, *const next = word + CRUX_COLUMN;
	uint64_t const low = (uint64_t)place.low;
	FOR_LANES word[i] |= ((uint64_t)from[i] - low) << place.shift;
	if (place.shift + place.bits > 64) {
		FOR_LANES next[i] |= ((uint64_t)from[i] - low) >> (64 - place.shift);
	}
}

CRUX_CLONES static void WIDTH(gather)(const crux_program *program, size_t from, size_t to, const uint16_t *chosen, size_t lanes)
{
	LANE *const out = (LANE *)(void *)program->registers + to * STRIDE;
	LANE const *const a = (LANE const *)(void *)program->registers + from * STRIDE;
	FOR_LANES out[i] = a[chosen[i]];
}

static void WIDTH(replace)(const crux_program *program, size_t index, crux_state_place place, uint64_t *keys, size_t words,
                           const uint32_t *rows, size_t lanes)
{
	LANE const *const from = (LANE const *)(void *)program->registers + index * STRIDE;
	uint64_t const mask = UINT64_MAX >> (64 - place.bits), low = (uint64_t)place.low;
	for (size_t i = 0; i < lanes; i++) {
		uint64_t *const word = keys + rows[i] * words + place.word;
		uint64_t const value = (uint64_t)from[i] - low;
		word[0] = (word[0] & ~(mask << place.shift)) | value << place.shift;
		if (place.shift + place.bits > 64)
			word[1] = (word[1] & ~(mask >> (64 - place.shift))) | value >> (64 - place.shift);
	}
}

CRUX_CLONES static bool WIDTH(truths)(const crux_program *program, size_t index, size_t lanes, uint8_t *truths)
{
	LANE const *const from = (LANE const *)(void *)program->registers + index * STRIDE;
	LANE all = 0;
	for (size_t i = 0; i < lanes; i++)
		all = (LANE)(all | from[i]);
	if (all) {
		FOR_LANES truths[i] = (uint8_t)from[i];
	}
	return all != 0;
}

#undef FOR_LANES
#undef CASE
#undef PAIR
#undef SINGLE
#undef SHIFT
#undef U
#undef STRIDE
