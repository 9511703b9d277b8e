/* libcrux.http_server: a server of small HTTP requests, by libmicrohttpd, which is loaded when a server is opened. Nothing happens
 * between the calls: connections wait, suspended, from the end of their request to its answer. */
#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/library.h"
#include "base/sizes.h"
#include "lua/binding.h"
#include "lua/modules.h"

#define TYPE "crux.http_server"

/* The functions of libmicrohttpd that are used. */
#define MHD_FUNCTIONS(f) \
	f(start_daemon) f(stop_daemon) f(run_wait) f(get_timeout) f(get_daemon_info) f(lookup_connection_value) f(suspend_connection) f(resume_connection) \
	f(create_response_from_buffer) f(add_response_header) f(queue_response) f(destroy_response)

enum { IDLE_SECONDS = 30, CONNECTION_BYTES = 16 << 10, BACKLOG = 1024, MOST_HEADERS = 16 };

enum { METHOD, PATH, COOKIE, HOST, ORIGIN, TEXTS };

typedef struct request {
	struct request *next;
	struct MHD_Connection *connection;
	uint64_t number; /* from 1 on */
	char *texts[TEXTS]; /* the value of the cookie `crux`, and these headers; "" without one */
	char *body;                   /* NULL: empty */
	size_t size;                  /* bytes of the body */
	struct MHD_Response *response; /* NULL: none is made yet, or there was no memory */
	unsigned status;
	bool is_over; /* the connection is resumed, to send the response or to be closed */
} request;

/* A list of requests, the oldest first. */
typedef struct queue {
	request *first, **end;
} queue;

typedef struct server {
#define MHD_FIELD(name) __typeof__(MHD_##name) *name;
	MHD_FUNCTIONS(MHD_FIELD)
#undef MHD_FIELD
	struct MHD_Daemon *daemon;
	int descriptor;
	uint16_t port;
	size_t most_bytes;     /* of a body */
	bool has_resumed;      /* connections, since the last wait: libmicrohttpd does not count them among what is to be done */
	uint64_t requests;     /* so far */
	queue received, taken; /* taken: by wait, and not answered */
} server;

static void append(queue *q, request *r)
{
	if (!q->first)
		q->end = &q->first;
	r->next = NULL;
	*q->end = r;
	q->end = &r->next;
}

static request *take_first(queue *q)
{
	request *const r = q->first;
	if (r)
		q->first = r->next;
	return r;
}

static request *take_number(queue *q, uint64_t number)
{
	for (request **at = &q->first; *at; at = &(*at)->next) {
		request *const r = *at;
		if (r->number == number) {
			*at = r->next;
			if (!*at)
				q->end = at;
			return r;
		}
	}
	return NULL;
}

static bool load(server *s)
{
#define MHD_ROW(name) {"MHD_" #name, &s->name},
	crux_library_function const functions[] = {MHD_FUNCTIONS(MHD_ROW)};
#undef MHD_ROW
	return crux_library_load("libmicrohttpd.so.12", functions, sizeof functions / sizeof *functions);
}

static void free_request(server *s, request *r)
{
	if (r->response)
		s->destroy_response(r->response);
	for (int i = 0; i < TEXTS; i++)
		free(r->texts[i]);
	free(r->body);
	free(r);
}

/* Begins a request whose headers were received; NULL without memory. */
static request *begin(server *s, struct MHD_Connection *connection, const char *path, const char *method)
{
	const char *const texts[TEXTS] = {
		[METHOD] = method, [PATH] = path,
		[COOKIE] = s->lookup_connection_value(connection, MHD_COOKIE_KIND, "crux"),
		[HOST] = s->lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST),
		[ORIGIN] = s->lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ORIGIN),
	};
	request *const r = calloc(1, sizeof *r);
	bool has_memory = r != NULL;
	for (int i = 0; has_memory && i < TEXTS; i++)
		has_memory = (r->texts[i] = strdup(texts[i] ? texts[i] : "")) != NULL;
	if (has_memory) {
		r->connection = connection;
		return r;
	}
	if (r)
		free_request(s, r);
	return NULL;
}

/* Tells whether the headers announce a body that is too large. */
static bool is_too_large(server *s, struct MHD_Connection *connection)
{
	const char *const length = s->lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
	return length && strtoull(length, NULL, 10) > s->most_bytes;
}

static bool add_body(request *r, const char *data, size_t size, size_t most_bytes)
{
	if (size > most_bytes - r->size)
		return false;
	if (!r->body && !(r->body = malloc(most_bytes)))
		return false;
	memcpy(r->body + r->size, data, size);
	r->size += size;
	return true;
}

/* Called for the headers, for parts of the body, for its end, and when the connection is resumed. MHD_NO closes it. */
static enum MHD_Result on_request(void *argument, struct MHD_Connection *connection, const char *path, const char *method,
                                  const char *version, const char *data, size_t *size, void **context)
{
	(void)version;
	server *const s = argument;
	request *r = *context;
	if (!r) {
		*context = r = begin(s, connection, path, method);
		if (!r || !is_too_large(s, connection))
			return r ? MHD_YES : MHD_NO;
		r->response = s->create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
		r->status = MHD_HTTP_CONTENT_TOO_LARGE;
		r->is_over = true;
	}
	if (r->is_over)
		return r->response ? s->queue_response(connection, r->status, r->response) : MHD_NO;
	if (*size > 0) {
		bool const fits = add_body(r, data, *size, s->most_bytes);
		*size = 0;
		return fits ? MHD_YES : MHD_NO;
	}
	r->number = ++s->requests;
	append(&s->received, r);
	s->suspend_connection(connection);
	return MHD_YES;
}

static void on_completed(void *argument, struct MHD_Connection *connection, void **context,
                         enum MHD_RequestTerminationCode code)
{
	(void)connection;
	(void)code;
	if (*context)
		free_request(argument, *context);
	*context = NULL;
}

static void resume(server *s, request *r)
{
	r->is_over = s->has_resumed = true;
	s->resume_connection(r->connection);
}

/* The port of a socket; 0 if it is not known. */
static uint16_t port_of(int descriptor)
{
	union {
		struct sockaddr any;
		struct sockaddr_in version4;
		struct sockaddr_in6 version6;
	} address;
	memset(&address, 0, sizeof address);
	socklen_t size = sizeof address;
	if (getsockname(descriptor, &address.any, &size) != 0)
		return 0;
	return ntohs(address.any.sa_family == AF_INET6 ? address.version6.sin6_port : address.version4.sin_port);
}

/* A socket that listens; -1 with a message pushed if that fails. */
static int listening(lua_State *L, const char *address, uint16_t port)
{
	struct addrinfo const hints = {.ai_flags = AI_NUMERICHOST | AI_PASSIVE, .ai_socktype = SOCK_STREAM};
	struct addrinfo *found;
	if (getaddrinfo(address, NULL, &hints, &found) != 0) {
		lua_pushfstring(L, "found the address '%s', expected one of IPv4 or IPv6", address);
		return -1;
	}
	if (found->ai_family == AF_INET6)
		((struct sockaddr_in6 *)(void *)found->ai_addr)->sin6_port = htons(port);
	else
		((struct sockaddr_in *)(void *)found->ai_addr)->sin_port = htons(port);
	int const yes = 1, descriptor = socket(found->ai_family, SOCK_STREAM, 0);
	bool const listens = descriptor >= 0 && fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
	                     && fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 && setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0
	                     && bind(descriptor, found->ai_addr, found->ai_addrlen) == 0 && listen(descriptor, BACKLOG) == 0;
	if (!listens)
		lua_pushfstring(L, "%s, port %d: %s", address, (int)port, strerror(errno));
	if (!listens && descriptor >= 0)
		close(descriptor);
	freeaddrinfo(found);
	return listens ? descriptor : -1;
}

static int fail(lua_State *L, server *s, const char *message)
{
	free(s);
	return crux_fail(L, message);
}

/* open(address, port, most_bytes) -> server that listens on an address, of IPv4 or IPv6, and a port, any free one for 0, and takes bodies
 * of at most so many bytes; or nil and a message */
static int server_open(lua_State *L)
{
	const char *const address = luaL_checkstring(L, 1);
	lua_Integer const port = luaL_checkinteger(L, 2), most_bytes = luaL_checkinteger(L, 3);
	luaL_argcheck(L, port >= 0 && port <= UINT16_MAX, 2, "a port is 0 to 65535");
	luaL_argcheck(L, most_bytes > 0, 3, "1 or more");
	server **const slot = crux_handle_new(L, TYPE, sizeof *slot, 0);
	server *const s = calloc(1, sizeof *s);
	if (!s || !load(s))
		return fail(L, s, s ? "found no libmicrohttpd.so.12" : "out of memory");
	s->most_bytes = (size_t)most_bytes;
	s->descriptor = listening(L, address, (uint16_t)port);
	if (s->descriptor < 0)
		return fail(L, s, lua_tostring(L, -1));
	s->port = port_of(s->descriptor);
	s->daemon = s->start_daemon(
		MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_request, s,
		MHD_OPTION_LISTEN_SOCKET, s->descriptor,
		MHD_OPTION_NOTIFY_COMPLETED, on_completed, s,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned)CRUX_MOST_CONNECTIONS,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
		MHD_OPTION_END);
	if (!s->daemon) {
		close(s->descriptor);
		return fail(L, s, "libmicrohttpd does not start");
	}
	*slot = s;
	return 1;
}

/* server:close(): closes all connections */
static int server_close(lua_State *L)
{
	server *const s = crux_handle_take(L, TYPE);
	if (!s)
		return 0;
	for (request *r; (r = take_first(&s->received)) || (r = take_first(&s->taken));)
		resume(s, r);
	s->stop_daemon(s->daemon); /* closes the socket, too */
	free(s);
	return 0;
}

static server *check(lua_State *L) { return *(server **)crux_handle_check(L, 1, TYPE, "the server was closed"); }

/* server:descriptor() -> that of the listening socket */
static int server_descriptor(lua_State *L)
{
	lua_pushinteger(L, check(L)->descriptor);
	return 1;
}

static int server_port(lua_State *L)
{
	lua_pushinteger(L, check(L)->port);
	return 1;
}

/* Pushes a list of the requests that were received. */
static void push_requests(lua_State *L, server *s)
{
	static const char *const names[TEXTS] = {"method", "path", "cookie", "host", "origin"};
	request *r;
	lua_newtable(L);
	for (lua_Integer i = 1; (r = take_first(&s->received)); i++) {
		append(&s->taken, r);
		lua_createtable(L, 0, 7);
		crux_set_integer(L, "number", (lua_Integer)r->number);
		for (int text = 0; text < TEXTS; text++)
			crux_set_string(L, names[text], r->texts[text]);
		lua_pushlstring(L, r->body ? r->body : "", r->size);
		lua_setfield(L, -2, "body");
		lua_rawseti(L, -2, i);
	}
}

/* Waits at most so long until there is something to send or to receive, or something to do with a descriptor that is watched, and
 * then sends answers and receives requests. The first of `count` places in `watched` is for the server itself. Returns false with
 * errno if the socket does not work any more. */
static bool wait_for_requests(server *s, int milliseconds, struct pollfd *watched, size_t count)
{
	MHD_UNSIGNED_LONG_LONG timeout;
	if (s->has_resumed)
		milliseconds = 0;
	s->has_resumed = false;
	if (s->get_timeout(s->daemon, &timeout) == MHD_YES && timeout < (MHD_UNSIGNED_LONG_LONG)milliseconds)
		milliseconds = (int)timeout;
	watched[0] = (struct pollfd){s->get_daemon_info(s->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd, POLLIN, 0};
	return (poll(watched, (nfds_t)count, milliseconds) >= 0 || errno == EINTR) && s->run_wait(s->daemon, 0) == MHD_YES;
}

/* server:wait(milliseconds, descriptors) -> a list of the requests { number =, method =, path =, cookie =, host =, origin =,
 * body = } that were received, and a list that tells of each descriptor whether it is readable, which ends the wait, too; or nil and a message */
static int server_wait(lua_State *L)
{
	server *const s = check(L);
	lua_Integer const milliseconds = luaL_checkinteger(L, 2);
	size_t const count = 1 + crux_check_length(L, 3);
	luaL_argcheck(L, milliseconds >= 0 && milliseconds <= 60000, 2, "0 to 60000 ms");
	struct pollfd *const watched = lua_newuserdatauv(L, count * sizeof *watched, 0);
	for (size_t i = 1; i < count; i++) {
		lua_rawgeti(L, 3, (lua_Integer)i);
		watched[i] = (struct pollfd){(int)luaL_checkinteger(L, -1), POLLIN, 0};
		lua_pop(L, 1);
	}
	if (!wait_for_requests(s, (int)milliseconds, watched, count)) {
		lua_pushnil(L);
		lua_pushfstring(L, "the socket does not work any more: %s", strerror(errno));
		return 2;
	}
	push_requests(L, s);
	lua_newtable(L);
	for (size_t i = 1; i < count; i++) {
		lua_pushboolean(L, watched[i].revents != 0);
		lua_rawseti(L, -2, (lua_Integer)i);
	}
	return 2;
}

/* server:answer(number, status, body, headers) -> true if there is such a request; false if not, or without memory: then its
 * connection is closed. headers: a list of { name, value } */
static int server_answer(lua_State *L)
{
	server *const s = check(L);
	lua_Integer const number = luaL_checkinteger(L, 2), status = luaL_checkinteger(L, 3);
	size_t size;
	union {
		const char *text;
		void *data; /* libmicrohttpd copies it */
	} const body = {.text = luaL_checklstring(L, 4, &size)};
	size_t const count = crux_check_length(L, 5);
	struct { const char *name, *value; } headers[MOST_HEADERS];
	luaL_argcheck(L, status >= 200 && status <= 599, 3, "a status is 200 to 599");
	luaL_argcheck(L, count <= MOST_HEADERS, 5, "at most 16 headers");
	luaL_checkstack(L, 3 * MOST_HEADERS, NULL);
	for (size_t i = 0; i < count; i++) {
		if (lua_rawgeti(L, 5, (lua_Integer)i + 1) != LUA_TTABLE || lua_rawgeti(L, -1, 1) != LUA_TSTRING
		    || lua_rawgeti(L, -2, 2) != LUA_TSTRING)
			return luaL_argerror(L, 5, "a list of { name, value }");
		headers[i].name = lua_tostring(L, -2);
		headers[i].value = lua_tostring(L, -1);
	}
	request *const r = take_number(&s->taken, (uint64_t)number);
	bool done = false;
	if (r) {
		r->status = (unsigned)status;
		r->response = s->create_response_from_buffer(size, body.data, MHD_RESPMEM_MUST_COPY);
		done = r->response != NULL;
		for (size_t i = 0; done && i < count; i++)
			done = s->add_response_header(r->response, headers[i].name, headers[i].value) == MHD_YES;
		resume(s, r);
	}
	lua_pushboolean(L, done);
	return 1;
}

CRUX_TABLE(methods,
	{"descriptor", server_descriptor},
	{"port",       server_port},
	{"wait",       server_wait},
	{"answer",     server_answer},
	{"close",      server_close},
	CRUX_CLOSES(server_close))

CRUX_TABLE(functions,
	{"open", server_open})

CRUX_TYPE_LIBRARY(http_server, TYPE)
