/* rewrite_chance.c: the published keystreams of RC4, seven bytes a number. */
#include "puzzlescript/rewrite_chance.h"

#include <string.h>

#include "check.h"

/* The first bytes of the numbers of a seed. */
static void check_stream(const char *seed, unsigned first, unsigned eighth)
{
	crux_rewrite_chance chance = crux_rewrite_chance_new(seed, strlen(seed));
	CHECK(crux_rewrite_chance_below(&chance, 256) == first);
	CHECK(crux_rewrite_chance_below(&chance, 256) == eighth);
}

int main(void)
{
	/* Wikipedia, RC4, test vectors: EB9F7781B734CA72A719..., 04D46B053CA87B59... */
	check_stream("Key", 0xEB, 0x72);
	check_stream("Secret", 0x04, 0x59);
	crux_rewrite_chance chance = crux_rewrite_chance_new("1", 1);
	for (int i = 0; i < 1000; i++)
		CHECK(crux_rewrite_chance_below(&chance, 1 + (size_t)i % 7) <= (size_t)i % 7);
	return check_summary();
}
