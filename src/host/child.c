/* A worker in a process of its own: items go to it through a socket, and results come back, each behind its size. */
#include "host/child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/fault.h"
#include "host/engine.h"
#include "host/worker.h"
#include "limits/wall.h"

enum { MOST_BYTES = 1 << 16 }; /* that wait in a socket, whose buffer holds more: the sender never waits for the child */

/* Sends or receives all of the bytes; false when the other end is closed. */
static bool send_all(int socket, const void *from, size_t size)
{
	for (const char *data = from; size > 0;) {
		ssize_t const sent = send(socket, data, size, MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return false;
		data += sent;
		size -= (size_t)sent;
	}
	return true;
}

static bool receive_all(int socket, void *to, size_t size)
{
	for (char *data = to; size > 0;) {
		ssize_t const received = recv(socket, data, size, 0);
		if (received < 0 && errno == EINTR)
			continue;
		if (received <= 0)
			return false;
		data += received;
		size -= (size_t)received;
	}
	return true;
}

static bool send_bytes(int socket, const char *data, size_t size)
{
	return send_all(socket, &size, sizeof size) && send_all(socket, data, size);
}

static bool receive_bytes(int socket, crux_bytes *bytes)
{
	size_t size;
	bytes->size = 0;
	if (!receive_all(socket, &size, sizeof size) || !crux_bytes_reserve(bytes, size) ||
	    !receive_all(socket, bytes->data, size))
		return false;
	bytes->size = size;
	return true;
}

/* Makes a message of a result, or of a fault; false when memory is short. */
static bool seal(crux_bytes *bytes, bool done, const crux_fault *fault)
{
	size_t const size = done ? bytes->size : strlen(fault->message) + 1;
	bytes->size = 0;
	if (!crux_bytes_reserve(bytes, size + 1))
		return false;
	if (!done)
		memcpy(bytes->data, fault->message, size);
	bytes->data[size] = done;
	bytes->size = size + 1;
	return true;
}

bool crux_child_open(crux_bytes *message, crux_fault *fault)
{
	bool const done = message->size > 0 && message->data[message->size - 1];
	if (!done)
		crux_fault_set(fault, "%s", message->size > 0 ? message->data : "out of memory");
	else
		message->size--;
	return done;
}

/* What the child does until its socket is closed. */
static void work(const crux_child *child, int socket)
{
	crux_bytes bytes = {0};
	crux_worker worker = {.engine = NULL};
	crux_wall_raise(NULL);
	worker.engine = crux_engine_open(child->home, child->lpeg, &worker.fault);
	if (worker.engine)
		crux_worker_start(&worker, child->start);
	else
		worker.failed = true;
	while (receive_bytes(socket, &bytes)) {
		crux_fault fault;
		bool const done = crux_worker_run(&worker, &bytes, &fault);
		if (!seal(&bytes, done, &fault) || !send_bytes(socket, bytes.data, bytes.size))
			return;
	}
}

/* Starts the child; it dies with its parent, and leaves nothing of the parent's to be done at its end. */
static bool start(crux_child *child)
{
	int sockets[2];
	if (child->process)
		return true;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
		return false;
	child->process = fork();
	if (child->process == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(sockets[0]);
		work(child, sockets[1]);
		_exit(0);
	}
	close(sockets[1]);
	child->socket = sockets[0];
	if (child->process > 0)
		return true;
	close(sockets[0]);
	child->process = 0;
	return false;
}

/* Waits for the process, which has ended or is about to; returns its status. */
static int bury(crux_child *child)
{
	int status = 0;
	close(child->socket);
	while (waitpid(child->process, &status, 0) < 0 && errno == EINTR)
		;
	child->process = 0;
	child->given = 0;
	return status;
}

bool crux_child_give(crux_child *child, const char *item, size_t size)
{
	if (child->given == 0)
		child->bytes = 0;
	if (child->given > 0 && (!child->process || child->bytes + size > MOST_BYTES))
		return false;
	if (start(child) && !send_bytes(child->socket, item, size) && child->given == 0) {
		bury(child); /* it was killed while it had nothing to do: that costs nothing */
		if (start(child))
			send_bytes(child->socket, item, size);
	}
	child->given++;
	child->bytes += size;
	return true;
}

/* What became of a process that gives no result. */
static void describe_death(crux_child *child, crux_fault *fault)
{
	if (!child->process) {
		crux_fault_set(fault, "no process could be started to work on it");
		child->given = 0;
		return;
	}
	kill(child->process, SIGKILL); /* in case it only closed its socket */
	int const status = bury(child), signal = WTERMSIG(status);
	if (WIFSIGNALED(status))
		crux_fault_set(fault, "its worker was killed by signal %d (%s)", signal, strsignal(signal));
	else
		crux_fault_set(fault, "its worker ended with status %d", WEXITSTATUS(status));
}

bool crux_child_take(crux_child *child, crux_bytes *message, long nanoseconds)
{
	struct pollfd socket = {.fd = child->socket, .events = POLLIN};
	struct timespec const patience = {.tv_nsec = nanoseconds};
	crux_fault fault;
	if (child->given == 0 || (child->process && ppoll(&socket, 1, &patience, NULL) <= 0))
		return false;
	if (child->process && receive_bytes(child->socket, message)) {
		child->given--;
		return true;
	}
	describe_death(child, &fault);
	if (!seal(message, false, &fault))
		message->size = 0;
	return true;
}

void crux_child_stop(crux_child *child)
{
	if (!child->process)
		return;
	kill(child->process, SIGKILL);
	bury(child);
}
