/* A server of small HTTP requests, by libmicrohttpd, which is loaded when a server is opened. One thread calls it, and nothing
 * happens between the calls: requests wait until they are answered. */
#pragma once

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crux.h"

typedef struct crux_http_server crux_http_server;

/* A request; its texts are valid until it is answered. */
typedef struct crux_http_request {
	uint64_t number; /* from 1 on */
	const char *method, *path;
	const char *cookie; /* the value of the cookie `crux`; "" without one */
	const char *host, *origin; /* these headers; "" without one */
	const char *body;
	size_t size; /* bytes of the body */
} crux_http_request;

typedef struct crux_http_header {
	const char *name, *value;
} crux_http_header;

/* Listens on an address, of IPv4 or IPv6, and a port; 0 is any free one. Bodies of requests have at most so many bytes. NULL and a
 * fault if that fails. */
crux_http_server *crux_http_server_open(const char *address, uint16_t port, size_t most_bytes, crux_fault *fault);

/* Closes all connections. NULL is allowed. */
void crux_http_server_close(crux_http_server *server);

int crux_http_server_descriptor(crux_http_server const *server); /* of the listening socket */
uint16_t crux_http_server_port(crux_http_server const *server);

/* Waits at most so long until there is something to send or to receive, or something to do with a descriptor that is watched, and
 * then sends answers and receives requests. The first of `count` places in `watched` is for the server itself. */
bool crux_http_server_wait(crux_http_server *server, int milliseconds, struct pollfd *watched, size_t count, crux_fault *fault);

/* The next request that was received; NULL if there is none. */
const crux_http_request *crux_http_server_next(crux_http_server *server);

/* Answers a request that crux_http_server_next returned; the texts are copied. False if there is no such request, or no memory:
 * then its connection is closed. */
bool crux_http_server_answer(crux_http_server *server, uint64_t number, unsigned status, const char *body, size_t size,
                             const crux_http_header *headers, size_t count);
