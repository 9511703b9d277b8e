/* Asking for memory that is read or written soon. */
#pragma once

/* Has the cache line of an address fetched. WebAssembly has no instruction for it: a byte is read, so that several together are
 * fetched at the same time. */
static inline void crux_prefetch(const void *address)
{
#ifdef __wasm__
	(void)*(const volatile char *)address;
#else
	__builtin_prefetch(address);
#endif
}
