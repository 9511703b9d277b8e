/* Connections wait, suspended, from the end of their request to its answer. */
#include "serve/http_server.h"

#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/library.h"
#include "base/sizes.h"

/* The functions of libmicrohttpd that are used. */
#define MHD_FUNCTIONS(f) \
	f(start_daemon) f(stop_daemon) f(run_wait) f(get_timeout) f(get_daemon_info) f(lookup_connection_value) f(suspend_connection) f(resume_connection) \
	f(create_response_from_buffer) f(add_response_header) f(queue_response) f(destroy_response)

enum { IDLE_SECONDS = 30, CONNECTION_BYTES = 16 << 10, BACKLOG = 1024 };

typedef struct request {
	crux_http_request shown;
	struct request *next;
	struct MHD_Connection *connection;
	char *path, *method, *cookie, *host, *origin;
	char *body; /* NULL: empty */
	struct MHD_Response *response; /* NULL: none is made yet, or there was no memory */
	unsigned status;
	bool is_over; /* the connection is resumed, to send the response or to be closed */
} request;

/* A list of requests, the oldest first. */
typedef struct queue {
	request *first, **end;
} queue;

struct crux_http_server {
#define MHD_FIELD(name) __typeof__(MHD_##name) *name;
	MHD_FUNCTIONS(MHD_FIELD)
#undef MHD_FIELD
	struct MHD_Daemon *daemon;
	int descriptor;
	uint16_t port;
	size_t most_bytes;     /* of a body */
	bool has_resumed;      /* connections, since the last wait: libmicrohttpd does not count them among what is to be done */
	uint64_t requests;     /* so far */
	queue received, taken; /* taken: by crux_http_server_next, and not answered */
};

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
		if (r->shown.number == number) {
			*at = r->next;
			if (!*at)
				q->end = at;
			return r;
		}
	}
	return NULL;
}

static bool load(crux_http_server *server)
{
#define MHD_ROW(name) {"MHD_" #name, &server->name},
	crux_library_function const functions[] = {MHD_FUNCTIONS(MHD_ROW)};
#undef MHD_ROW
	return crux_library_load("libmicrohttpd.so.12", functions, sizeof functions / sizeof *functions);
}

static void free_request(crux_http_server *server, request *r)
{
	if (r->response)
		server->destroy_response(r->response);
	free(r->path);
	free(r->method);
	free(r->cookie);
	free(r->host);
	free(r->origin);
	free(r->body);
	free(r);
}

/* A cookie or header, "" if there is none; NULL without memory. */
static char *copy_of_value(crux_http_server *server, struct MHD_Connection *connection, enum MHD_ValueKind kind, const char *name)
{
	const char *const value = server->lookup_connection_value(connection, kind, name);
	return strdup(value ? value : "");
}

/* Begins a request whose headers were received; NULL without memory. */
static request *begin(crux_http_server *server, struct MHD_Connection *connection, const char *path, const char *method)
{
	request *const r = calloc(1, sizeof *r);
	if (!r)
		return NULL;
	r->connection = connection;
	r->path = strdup(path);
	r->method = strdup(method);
	r->cookie = copy_of_value(server, connection, MHD_COOKIE_KIND, "crux");
	r->host = copy_of_value(server, connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
	r->origin = copy_of_value(server, connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ORIGIN);
	if (r->path && r->method && r->cookie && r->host && r->origin)
		return r;
	free_request(server, r);
	return NULL;
}

/* Tells whether the headers announce a body that is too large. */
static bool is_too_large(crux_http_server *server, struct MHD_Connection *connection)
{
	const char *const length = server->lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
	return length && strtoull(length, NULL, 10) > server->most_bytes;
}

static bool add_body(request *r, const char *data, size_t size, size_t most_bytes)
{
	if (size > most_bytes - r->shown.size)
		return false;
	if (!r->body && !(r->body = malloc(most_bytes)))
		return false;
	memcpy(r->body + r->shown.size, data, size);
	r->shown.size += size;
	return true;
}

/* Called for the headers, for parts of the body, for its end, and when the connection is resumed. MHD_NO closes it. */
static enum MHD_Result on_request(void *argument, struct MHD_Connection *connection, const char *path, const char *method,
                                  const char *version, const char *data, size_t *size, void **context)
{
	(void)version;
	crux_http_server *const server = argument;
	request *r = *context;
	if (!r) {
		*context = r = begin(server, connection, path, method);
		if (!r || !is_too_large(server, connection))
			return r ? MHD_YES : MHD_NO;
		r->response = server->create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
		r->status = MHD_HTTP_CONTENT_TOO_LARGE;
		r->is_over = true;
	}
	if (r->is_over)
		return r->response ? server->queue_response(connection, r->status, r->response) : MHD_NO;
	if (*size > 0) {
		bool const fits = add_body(r, data, *size, server->most_bytes);
		*size = 0;
		return fits ? MHD_YES : MHD_NO;
	}
	r->shown.number = ++server->requests;
	r->shown.path = r->path;
	r->shown.method = r->method;
	r->shown.cookie = r->cookie;
	r->shown.host = r->host;
	r->shown.origin = r->origin;
	r->shown.body = r->body ? r->body : "";
	append(&server->received, r);
	server->suspend_connection(connection);
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

static void resume(crux_http_server *server, request *r)
{
	r->is_over = server->has_resumed = true;
	server->resume_connection(r->connection);
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

/* A socket that listens; -1 and a fault if that fails. */
static int listening(const char *address, uint16_t port, crux_fault *fault)
{
	struct addrinfo const hints = {.ai_flags = AI_NUMERICHOST | AI_PASSIVE, .ai_socktype = SOCK_STREAM};
	struct addrinfo *found;
	if (getaddrinfo(address, NULL, &hints, &found) != 0) {
		crux_fault_set(fault, "found the address '%s', expected one of IPv4 or IPv6", address);
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
		crux_fault_set(fault, "%s, port %u: %s", address, (unsigned)port, strerror(errno));
	if (!listens && descriptor >= 0)
		close(descriptor);
	freeaddrinfo(found);
	return listens ? descriptor : -1;
}

crux_http_server *crux_http_server_open(const char *address, uint16_t port, size_t most_bytes, crux_fault *fault)
{
	crux_http_server *const server = calloc(1, sizeof *server);
	if (!server || !load(server)) {
		crux_fault_set(fault, server ? "found no libmicrohttpd.so.12" : "out of memory");
		free(server);
		return NULL;
	}
	server->most_bytes = most_bytes;
	server->descriptor = listening(address, port, fault);
	if (server->descriptor >= 0) {
		server->port = port_of(server->descriptor);
		server->daemon = server->start_daemon(
			MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_request, server,
			MHD_OPTION_LISTEN_SOCKET, server->descriptor,
			MHD_OPTION_NOTIFY_COMPLETED, on_completed, server,
			MHD_OPTION_CONNECTION_LIMIT, (unsigned)CRUX_MOST_CONNECTIONS,
			MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
			MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
			MHD_OPTION_END);
		if (server->daemon)
			return server;
		crux_fault_set(fault, "libmicrohttpd does not start");
		close(server->descriptor);
	}
	free(server);
	return NULL;
}

void crux_http_server_close(crux_http_server *server)
{
	if (!server)
		return;
	for (request *r; (r = take_first(&server->received)) || (r = take_first(&server->taken));)
		resume(server, r);
	server->stop_daemon(server->daemon); /* closes the socket, too */
	free(server);
}

int crux_http_server_descriptor(crux_http_server const *server) { return server->descriptor; }

uint16_t crux_http_server_port(crux_http_server const *server) { return server->port; }

bool crux_http_server_wait(crux_http_server *server, int milliseconds, struct pollfd *watched, size_t count, crux_fault *fault)
{
	MHD_UNSIGNED_LONG_LONG timeout;
	if (server->has_resumed)
		milliseconds = 0;
	server->has_resumed = false;
	if (server->get_timeout(server->daemon, &timeout) == MHD_YES && timeout < (MHD_UNSIGNED_LONG_LONG)milliseconds)
		milliseconds = (int)timeout;
	watched[0] = (struct pollfd){server->get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd, POLLIN, 0};
	if ((poll(watched, count, milliseconds) >= 0 || errno == EINTR) && server->run_wait(server->daemon, 0) == MHD_YES)
		return true;
	crux_fault_set(fault, "the socket does not work any more: %s", strerror(errno));
	return false;
}

const crux_http_request *crux_http_server_next(crux_http_server *server)
{
	request *const r = take_first(&server->received);
	if (!r)
		return NULL;
	append(&server->taken, r);
	return &r->shown;
}

bool crux_http_server_answer(crux_http_server *server, uint64_t number, unsigned status, const char *body, size_t size,
                             const crux_http_header *headers, size_t count)
{
	request *const r = take_number(&server->taken, number);
	if (!r)
		return false;
	union {
		const char *text;
		void *data; /* libmicrohttpd copies it */
	} const content = {.text = body};
	r->status = status;
	r->response = server->create_response_from_buffer(size, content.data, MHD_RESPMEM_MUST_COPY);
	bool done = r->response != NULL;
	for (size_t i = 0; done && i < count; i++)
		done = server->add_response_header(r->response, headers[i].name, headers[i].value) == MHD_YES;
	resume(server, r);
	return done;
}
