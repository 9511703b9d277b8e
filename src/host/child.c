/* A worker in a process of its own: items and results go through a socket, each behind its size. */
#include "host/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/note.h"
#include "host/engine.h"
#include "host/worker.h"
#include "limits/wall.h"
#include "port/port.h"

enum {
	MOST_BYTES = 1 << 16,        /* that wait in a socket; its buffer holds more, so that the sender never waits for the child */
	SOCKET = 3,                  /* the descriptor behind the standard streams, in a child */
	PATIENCE = 50 * 1000 * 1000, /* nanoseconds after which a keeper looks whether its owner has ended, or halts the worker */
	LAST_WORDS = 100,            /* milliseconds in which a worker that has closed its socket may end by itself */
};

/* These send and receive all bytes; they return false if the other end is closed. */
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

/* Makes a message of a result, or of a fault; returns false if memory is short. */
static bool make_message(crux_bytes *bytes, bool done, const crux_fault *fault)
{
	char const end = done;
	if (!done)
		bytes->size = 0;
	return (done || crux_bytes_append(bytes, fault->message, strlen(fault->message) + 1)) && crux_bytes_append(bytes, &end, 1);
}

bool crux_child_result(crux_bytes *message, crux_fault *fault)
{
	bool const done = message->size > 0 && message->data[message->size - 1];
	if (!done)
		crux_fault_set(fault, "%s", message->size > 0 ? message->data : "out of memory");
	else
		message->size--;
	return done;
}

/* Works in the child until its socket is closed. */
static void work(const crux_child *child, int socket)
{
	crux_bytes bytes = {0};
	crux_worker worker = {.engine = NULL};
	crux_note_at(child->note);
	if (!child->opens_files)
		crux_wall_raise(NULL);
	worker.engine = crux_engine_open(child->home, child->lpeg, &worker.fault);
	if (worker.engine)
		crux_worker_start(&worker, child->start);
	else
		worker.failed = true;
	while (receive_bytes(socket, &bytes)) {
		crux_fault fault;
		bool const done = crux_worker_run(&worker, &bytes, &fault);
		if (!make_message(&bytes, done, &fault) || !send_bytes(socket, bytes.data, bytes.size))
			return;
	}
}

/* Passes items on to a worker until the socket is closed. It is the owner that signals end. */
static void keep(const crux_child *child, int socket)
{
	crux_bytes bytes = {0};
	crux_child worker = {.home = child->home, .lpeg = child->lpeg, .start = child->start, .note = child->note, .opens_files = true};
	struct pollfd owner = {.fd = socket};
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	for (bool is_open = true; is_open && receive_bytes(socket, &bytes);) {
		crux_child_give(&worker, bytes.data, bytes.size);
		bool is_done = false;
		while (is_open && !(is_done = crux_child_take(&worker, &bytes, PATIENCE))) {
			is_open = poll(&owner, 1, 0) <= 0;
			if (worker.process && child->note && atomic_load(child->note) == CRUX_NOTE_HALT)
				kill(worker.process, SIGKILL); /* crux_child_take says so */
		}
		is_open = is_done && send_bytes(socket, bytes.data, bytes.size);
	}
	crux_bytes_free(&bytes);
}

/* The child dies with its parent, has none of its other files, and runs none of its exit handlers. */
bool crux_child_start(crux_child *child)
{
	int sockets[2];
	if (child->process)
		return true;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
		return false;
	fcntl(sockets[0], F_SETFD, FD_CLOEXEC);
	child->process = fork();
	if (child->process == 0) {
		crux_port_end_with_parent();
		dup2(sockets[1], SOCKET);
		crux_port_close_from(SOCKET + 1);
		(child->keeps ? keep : work)(child, SOCKET);
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

/* Waits for the end of the process, which has ended or was killed; returns its status. */
static int reap(crux_child *child)
{
	int status = 0;
	close(child->socket);
	while (waitpid(child->process, &status, 0) < 0 && errno == EINTR)
		;
	child->process = 0;
	child->in_flight = 0;
	return status;
}

bool crux_child_give(crux_child *child, const char *item, size_t size)
{
	if (child->in_flight == 0)
		child->bytes = 0;
	if (child->in_flight > 0 && (!child->process || child->bytes + size > MOST_BYTES))
		return false;
	if (crux_child_start(child) && !send_bytes(child->socket, item, size) && child->in_flight == 0) {
		reap(child); /* it died before it had an item, so no item fails */
		if (crux_child_start(child))
			send_bytes(child->socket, item, size);
	}
	child->in_flight++;
	child->bytes += size;
	return true;
}

/* Waits until a process that has closed its socket has ended, so that its status is its own, but not for ever. */
static void wait_for_end(const crux_child *child)
{
	siginfo_t end = {0};
	for (int left = LAST_WORDS; left > 0 && end.si_pid == 0; left--)
		if (waitid(P_PID, (id_t)child->process, &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid == 0)
			poll(NULL, 0, 1);
}

/* Describes the end of a process that returns no result. */
static void describe_death(crux_child *child, crux_fault *fault)
{
	if (!child->process) {
		crux_fault_set(fault, "no process could be started to work on it");
		child->in_flight = 0;
		return;
	}
	wait_for_end(child);
	kill(child->process, SIGKILL); /* it may have only closed its socket */
	int const status = reap(child), signal = WTERMSIG(status);
	if (WIFSIGNALED(status))
		crux_fault_set(fault, "its worker was killed by signal %d (%s)", signal, strsignal(signal));
	else
		crux_fault_set(fault, "its worker ended with status %d", WEXITSTATUS(status));
}

bool crux_child_take(crux_child *child, crux_bytes *message, long nanoseconds)
{
	crux_fault fault;
	if (child->in_flight == 0 || (child->process && !crux_port_wait(child->socket, nanoseconds)))
		return false;
	if (child->process && receive_bytes(child->socket, message)) {
		child->in_flight--;
		return true;
	}
	describe_death(child, &fault);
	if (!make_message(message, false, &fault))
		message->size = 0;
	return true;
}

void crux_child_stop(crux_child *child)
{
	if (!child->process)
		return;
	kill(child->process, SIGKILL);
	reap(child);
}
