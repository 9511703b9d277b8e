/* libcrux.token: random tokens of players, and the digests by which they are kept. */
#include <errno.h>
#include <lauxlib.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "lua/binding.h"
#include "lua/modules.h"

/* Pushes bytes, at most 32, as hexadecimal digits. */
static int push(lua_State *L, const unsigned char *bytes, size_t size)
{
	char digits[64];
	for (size_t i = 0; i < size; i++) {
		digits[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
		digits[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
	}
	lua_pushlstring(L, digits, 2 * size);
	return 1;
}

/* new() -> 128 random bits of the kernel as hexadecimal digits; or nil and a message */
static int new_token(lua_State *L)
{
	unsigned char bytes[16];
	if (getentropy(bytes, sizeof bytes) == 0)
		return push(L, bytes, sizeof bytes);
	lua_pushnil(L);
	lua_pushfstring(L, "random numbers of the kernel: %s", strerror(errno));
	return 2;
}

enum { BLOCK = 64, LENGTH = 8, ROUNDS = 64 };

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[ROUNDS] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t x, int by) { return x >> by | x << (32 - by); }

static void add_block(uint32_t hash[8], const unsigned char *block)
{
	uint32_t w[ROUNDS], v[8];
	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (int i = 16; i < ROUNDS; i++) {
		uint32_t const a = w[i - 15], b = w[i - 2];
		w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
	}
	memcpy(v, hash, sizeof v);
	for (int i = 0; i < ROUNDS; i++) {
		uint32_t const a = v[0], e = v[4];
		uint32_t const first = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + constants[i] + w[i];
		uint32_t const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
		memmove(v + 1, v, 7 * sizeof *v);
		v[4] += first;
		v[0] = first + second;
	}
	for (int i = 0; i < 8; i++)
		hash[i] += v[i];
}

/* digest(text) -> its SHA-256 (FIPS 180-4, section 6.2) as hexadecimal digits */
static int token_digest(lua_State *L)
{
	size_t size;
	const unsigned char *const bytes = (const unsigned char *)luaL_checklstring(L, 1, &size);
	uint32_t hash[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
	size_t const whole = size / BLOCK * BLOCK, rest = size - whole;
	for (size_t i = 0; i < whole; i += BLOCK)
		add_block(hash, bytes + i);
	unsigned char last[2 * BLOCK] = {0}, result[32];
	size_t const end = rest + 1 + LENGTH <= BLOCK ? BLOCK : 2 * BLOCK;
	if (rest > 0)
		memcpy(last, bytes + whole, rest);
	last[rest] = 0x80;
	for (size_t i = 0; i < LENGTH; i++)
		last[end - 1 - i] = (unsigned char)((uint64_t)size * 8 >> 8 * i);
	for (size_t i = 0; i < end; i += BLOCK)
		add_block(hash, last + i);
	for (size_t i = 0; i < sizeof result; i++)
		result[i] = (unsigned char)(hash[i / 4] >> (24 - 8 * (i % 4)));
	return push(L, result, sizeof result);
}

CRUX_LIBRARY(token,
	{"new",    new_token},
	{"digest", token_digest})
