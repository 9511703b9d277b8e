/* A hash of keys, which are words of 64 bits. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Every bit of the key affects the upper bits of the hash; most affect the lower bits, too. more: what tells apart the same keys. */
static inline uint64_t crux_key_hash(const uint64_t *key, size_t words, uint64_t more)
{
	uint64_t hash = more;
	for (size_t i = 0; i < words; i++) {
		hash = (hash ^ key[i]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	return hash * UINT64_C(0xd6e8feb86659fd93);
}
