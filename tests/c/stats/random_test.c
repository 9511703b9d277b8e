/* random.c: the published vectors, Lua's own xoshiro256**, exact ranges, even shares, streams. */
#include "stats/random.h"

#include <lauxlib.h>
#include <lualib.h>
#include <string.h>

#include "check.h"

static void check_vectors(void)
{
	/* xoshiro256starstar.c from state {1, 2, 3, 4}, as published with the Rust crate rand_xoshiro. */
	static uint64_t const expected[] = {
	    11520, 0, 1509978240, 1215971899390074240, 1216172134540287360, 607988272756665600, UINT64_C(16172922978634559625),
	    8476171486693032832, UINT64_C(10595114339597558777), 2904607092377533576,
	};
	crux_random random = {{1, 2, 3, 4}};
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
		CHECK(crux_random_next(&random) == expected[i]);

	/* splitmix64.c from 1234567, as published by Rosetta Code. */
	static uint64_t const mixed[] = {
	    6457827717110365317, 3203168211198807973, UINT64_C(9817491932198370423), 4593380528125082431,
	    UINT64_C(16408922859458223821),
	};
	uint64_t state = 1234567;
	for (size_t i = 0; i < sizeof mixed / sizeof *mixed; i++)
		CHECK(crux_random_splitmix(&state) == mixed[i]);
}

/* Lua 5.4's math.random is the same generator; math.randomseed(a, b) starts it at {a, 255, b, 0} and drops 16 numbers. */
static void check_against_lua(void)
{
	lua_State *L = luaL_newstate();
	luaL_openlibs(L);
	CHECK(luaL_dostring(L, "math.randomseed(-42, 7)") == LUA_OK);
	crux_random random = {{(uint64_t)-42, 255, 7, 0}};
	for (int i = 0; i < 16; i++)
		crux_random_next(&random);
	int equal = 0;
	for (int i = 0; i < 1000; i++)
		if (luaL_dostring(L, "return math.random(0)") == LUA_OK)
			equal += (uint64_t)lua_tointeger(L, -1) == crux_random_next(&random);
	CHECK(equal == 1000);
	CHECK(luaL_dostring(L, "return math.random()") == LUA_OK);
	CHECK(lua_tonumber(L, -1) == crux_random_real(&random));
	lua_close(L);
}

/* Streams are cut out of one SplitMix64 sequence, four outputs each. */
static void check_streams(void)
{
	static uint64_t const seeds[] = {0, 1, 42, UINT64_MAX};
	for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
		uint64_t state = seeds[i];
		state = crux_random_splitmix(&state);
		for (uint64_t stream = 0; stream < 100; stream++) {
			crux_random const random = crux_random_new(seeds[i], stream);
			int equal = 0;
			for (int word = 0; word < 4; word++)
				equal += random.state[word] == crux_random_splitmix(&state);
			CHECK(equal == 4);
		}
	}
	crux_random const a = crux_random_new(1, 2), b = crux_random_new(2, 1), c = crux_random_new(1, (uint64_t)-2);
	CHECK(memcmp(&a, &b, sizeof a) != 0 && memcmp(&a, &c, sizeof a) != 0);
}

/* Bits of neighbouring streams and seeds agree in half of the places; the bound is six standard deviations. */
static void check_independence(void)
{
	enum { STREAMS = 1000, DRAWS = 10 };
	long agreeing[2] = {0, 0};
	for (uint64_t k = 0; k < STREAMS; k++) {
		crux_random pairs[2][2] = {{crux_random_new(5, k), crux_random_new(5, k + 1)}, {crux_random_new(k, 0), crux_random_new(k + 1, 0)}};
		for (int which = 0; which < 2; which++)
			for (int i = 0; i < DRAWS; i++)
				agreeing[which] += 64 - __builtin_popcountll(crux_random_next(&pairs[which][0]) ^ crux_random_next(&pairs[which][1]));
	}
	double const n = 64.0 * STREAMS * DRAWS;
	for (int which = 0; which < 2; which++)
		CHECK(fabs((double)agreeing[which] - n / 2) < 6 * sqrt(n / 4));
}

/* Every value of the range appears about as often; chi-square of size - 1 degrees of freedom, again six deviations. */
static void check_shares(int64_t low, int size)
{
	enum { DRAWS = 100000 };
	long counts[100] = {0};
	crux_random random = crux_random_new(3, (uint64_t)size);
	bool within = true;
	for (int i = 0; i < DRAWS; i++) {
		int64_t const drawn = crux_random_integer(&random, low, low + (size - 1));
		within = within && drawn >= low && drawn <= low + (size - 1);
		if (within)
			counts[drawn - low]++;
	}
	CHECK(within);
	double const share = (double)DRAWS / size;
	double chi = 0;
	for (int i = 0; i < size; i++)
		chi += pow((double)counts[i] - share, 2) / share;
	CHECK(fabs(chi - (size - 1)) <= 6 * sqrt(2.0 * (size - 1)));
}

static void check_ranges(void)
{
	static int const sizes[] = {1, 2, 3, 5, 7, 8, 9, 31, 64, 65, 100};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		check_shares(-50, sizes[i]);
		check_shares(INT64_MAX - sizes[i] + 1, sizes[i]);
		check_shares(INT64_MIN, sizes[i]);
	}
	crux_random random = crux_random_new(1, 1), twin = random;
	CHECK(crux_random_integer(&random, INT64_MIN, INT64_MAX) == (int64_t)(crux_random_next(&twin) + (uint64_t)INT64_MIN));

	/* Three quarters of 2^64: a bare remainder would give the first third of the range twice as often. */
	int64_t const third = INT64_MAX / 2 + 1; /* 2^62 */
	int below = 0;
	for (int i = 0; i < 10000; i++)
		below += crux_random_integer(&random, INT64_MIN, third - 1) < INT64_MIN + third;
	CHECK(fabs(below - 10000 / 3.0) < 6 * sqrt(10000 * 2 / 9.0));
}

static void check_reals(void)
{
	enum { DRAWS = 100000 };
	crux_random random = crux_random_new(9, 0);
	double sum = 0, squares = 0;
	bool within = true;
	for (int i = 0; i < DRAWS; i++) {
		double const x = crux_random_real(&random);
		within = within && x >= 0 && x < 1;
		sum += x;
		squares += x * x;
	}
	CHECK(within);
	CHECK(fabs(sum / DRAWS - 0.5) < 6 * sqrt(1 / 12.0 / DRAWS));
	CHECK(fabs(squares / DRAWS - 1 / 3.0) < 6 * sqrt(4 / 45.0 / DRAWS));

	/* From the state whose next output is 2^64 - 1, found by undoing * 9, the rotation by 7 and * 5. */
	uint64_t const turned = 0 - UINT64_C(0x8e38e38e38e38e39);
	crux_random largest = {{1, (turned >> 7 | turned << 57) * UINT64_C(0xcccccccccccccccd), 1, 1}}, copy = largest;
	CHECK(crux_random_next(&copy) == UINT64_MAX);
	CHECK(crux_random_real(&largest) == 1 - 0x1p-53);
}

int main(void)
{
	check_vectors();
	check_against_lua();
	check_streams();
	check_independence();
	check_ranges();
	check_reals();
	return check_summary();
}
