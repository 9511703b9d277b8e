/* A thread that looks at the engines every few milliseconds and stops those that exceed their limits; see watchdog.h. */
#include "limits/watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fault.h"
#include "base/temporaries.h"

static const double longest_pause = 0.05;    /* most seconds between two looks */
static const double looks_per_limit = 4;     /* least number of looks within the shortest limit */
static const double callback_patience = 0.5; /* seconds in which a stopped callback must end */
static const double command_patience = 1;    /* seconds in which a stopped command must end */
static const double same_signal = 0.1;       /* seconds in which several signals count as one, as timeout(1) sends two */

static const int ending[] = {SIGINT, SIGTERM, SIGHUP};

enum { ENDING = sizeof ending / sizeof *ending };

static struct {
	pthread_mutex_t change; /* held while the thread is started or ended; taken before the lock */
	pthread_mutex_t lock;   /* guards all but the members that the signal handler uses */
	bool is_ready;        /* pthread_atfork was called */
	bool is_watching, is_closing;
	bool has_begun;       /* the thread's function runs */
	pthread_cond_t begins; /* signalled when has_begun becomes true */
	pthread_t thread;
	crux_budget *engines;
	void (*restore)(void); /* see crux_watchdog_at_end */
	double began;
	_Atomic double pause; /* seconds between two looks */
	struct sigaction former[ENDING];
	int wake[2]; /* a pipe: a byte ends the wait between two looks */
	atomic_int signal;
	_Atomic double signalled; /* time of that signal */
	atomic_bool is_insistent; /* another one came later */
} process = {.change = PTHREAD_MUTEX_INITIALIZER, .lock = PTHREAD_MUTEX_INITIALIZER, .begins = PTHREAD_COND_INITIALIZER};

static void tidy(void)
{
	if (process.restore)
		process.restore();
	crux_temporaries_remove();
}

/* Ends the process, although a thread does not yield. */
static void end(const crux_budget *l)
{
	static const char erase[] = "\r\33[K"; /* clears the line of the progress */
	crux_fault fault;
	int const signal = process.signal;
	char line[sizeof fault.message + 8];
	if (l)
		crux_budget_describe(l, NULL, " and does not yield", &fault);
	else
		crux_fault_set(&fault, "crux: interrupted");
	tidy();
	int const length = snprintf(line, sizeof line, "%s%s\n", isatty(STDERR_FILENO) ? erase : "", fault.message);
	if (write(STDERR_FILENO, line, (size_t)length) < 0)
		_exit(EXIT_FAILURE);
	_exit(signal ? 128 + signal : EXIT_FAILURE);
}

/* Stops an engine that exceeds a limit, or after a signal. A callback is not charged for the seconds that were `lost`. */
static void check_limits(crux_budget *l, double now, double lost)
{
	unsigned const serial = atomic_load(&l->serial);
	bool const is_inside = atomic_load(&l->depth) > 0;
	atomic_store(&l->since, atomic_load(&l->since) + lost);
	if (l->run > 0 && now - process.began > l->run)
		crux_budget_stop(l, CRUX_STOP_RUN);
	if (process.signal) {
		l->signal = process.signal;
		crux_budget_stop(l, CRUX_STOP_SIGNAL);
	}
	if (!is_inside || serial != atomic_load(&l->seen)) {
		atomic_store(&l->since, now);
		atomic_store(&l->seen, serial);
	} else if (l->limit.seconds > 0 && now - atomic_load(&l->since) >= l->limit.seconds) {
		crux_budget_stop(l, CRUX_STOP_TIME);
	}
	int const stop = l->stop;
	if (stop == CRUX_STOP_NOT || stop == CRUX_STOP_WORKER || (stop < CRUX_STOP_RUN && !is_inside)) {
		l->sent = 0;
		return;
	}
	l->sent = l->sent == 0 ? now : l->sent + lost;
	if (now - l->sent > (is_inside ? callback_patience : command_patience))
		end(l);
	crux_interrupt_send(l->thread);
}

static void *watch(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&process.lock);
	process.has_begun = true;
	pthread_cond_signal(&process.begins);
	pthread_mutex_unlock(&process.lock);
	for (double looked = crux_clock_now();;) {
		struct pollfd woken = {.fd = process.wake[0], .events = POLLIN};
		char byte;
		if (poll(&woken, 1, (int)ceil(process.pause * 1e3)) > 0 && read(process.wake[0], &byte, 1) < 0)
			return NULL;
		pthread_mutex_lock(&process.lock);
		if (process.is_insistent)
			end(NULL);
		double const now = crux_clock_now();
		double const lost = fmax(0, now - looked - 2 * longest_pause); /* the process was stopped, or the machine */
		looked = now;
		for (crux_budget *l = process.engines; l && !process.is_closing; l = l->next)
			check_limits(l, now, lost);
		bool const is_closing = process.is_closing;
		pthread_mutex_unlock(&process.lock);
		if (is_closing)
			return NULL;
	}
}

static bool open_pipe(void)
{
	if (pipe(process.wake) != 0)
		return false;
	for (int i = 0; i < 2; i++) {
		fcntl(process.wake[i], F_SETFD, FD_CLOEXEC);
		fcntl(process.wake[i], F_SETFL, O_NONBLOCK);
	}
	return true;
}

static void close_pipe(void)
{
	close(process.wake[0]);
	close(process.wake[1]);
}

/* A signal handler may call it, too. */
static void wake_up(void)
{
	int const former = errno;
	if (write(process.wake[1], "", 1) < 0) /* the pipe is full, so that it wakes the thread anyway */
		errno = former;
}

static void on_signal(int signal)
{
	double const now = crux_clock_now();
	if (!process.signal)
		process.signalled = now;
	else if (now - process.signalled > same_signal)
		process.is_insistent = true;
	process.signal = signal;
	wake_up();
}

static void before_fork(void)
{
	pthread_mutex_lock(&process.change);
	pthread_mutex_lock(&process.lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&process.lock);
	pthread_mutex_unlock(&process.change);
}

/* A forked child has none of its parent's threads, engines and files. */
static void begin_child(void)
{
	if (process.is_watching)
		close_pipe();
	process.is_watching = false;
	process.engines = NULL;
	process.restore = NULL;
	pthread_mutex_init(&process.change, NULL);
	pthread_mutex_init(&process.lock, NULL);
}

static void take_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	for (int i = 0; i < ENDING; i++) {
		sigaction(ending[i], NULL, &process.former[i]);
		if (process.former[i].sa_handler != SIG_IGN)
			sigaction(ending[i], &action, NULL);
	}
}

/* Starts the thread, in which no signal is handled, and waits until it runs: sanitizers hold a lock of their allocator while a
   thread begins, and in a process that is forked then it stays held. The caller holds both locks. */
static bool start(void)
{
	sigset_t all, former;
	if (!process.is_ready)
		pthread_atfork(before_fork, after_fork, begin_child);
	process.is_ready = true;
	process.is_closing = process.has_begun = false;
	process.began = crux_clock_now();
	process.pause = longest_pause;
	if (!open_pipe())
		return false;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &former);
	process.is_watching = pthread_create(&process.thread, NULL, watch, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &former, NULL);
	while (process.is_watching && !process.has_begun)
		pthread_cond_wait(&process.begins, &process.lock);
	if (process.is_watching)
		take_signals();
	else
		close_pipe();
	return process.is_watching;
}

/* Takes an engine off the list; returns false if it is not in it. */
static bool remove_engine(crux_budget *l)
{
	crux_budget **place = &process.engines;
	while (*place && *place != l)
		place = &(*place)->next;
	bool const found = *place;
	if (found)
		*place = l->next;
	return found;
}

bool crux_watchdog_watch(crux_budget *l, crux_limit limit, double run)
{
	crux_interrupt_allow();
	pthread_mutex_lock(&process.change);
	pthread_mutex_lock(&process.lock);
	bool const is_done = process.is_watching || start();
	remove_engine(l);
	l->watched = is_done;
	l->limit = limit;
	l->run = run;
	atomic_store(&l->since, crux_clock_now()); /* the watchdog may see the first callback before its serial */
	l->thread = pthread_self();
	if (is_done && l->stop != CRUX_STOP_WORKER) {
		l->next = process.engines;
		process.engines = l;
	}
	if (limit.seconds > 0)
		process.pause = fmin(process.pause, fmax(limit.seconds / looks_per_limit, 1e-3));
	pthread_mutex_unlock(&process.lock);
	pthread_mutex_unlock(&process.change);
	return is_done;
}

/* Ends the thread. The caller does not hold the lock, which the thread needs to end. */
static void stop(void)
{
	wake_up();
	pthread_join(process.thread, NULL);
	for (int i = 0; i < ENDING; i++)
		sigaction(ending[i], &process.former[i], NULL);
	close_pipe();
	process.is_watching = false;
}

void crux_watchdog_forget(crux_budget *l)
{
	pthread_mutex_lock(&process.change);
	pthread_mutex_lock(&process.lock);
	bool const is_last = remove_engine(l) && !process.engines;
	process.is_closing = is_last;
	pthread_mutex_unlock(&process.lock);
	if (is_last)
		stop();
	pthread_mutex_unlock(&process.change);
}

bool crux_watchdog_pardon(crux_budget *l)
{
	pthread_mutex_lock(&process.lock);
	bool const is_signal = l->stop == CRUX_STOP_SIGNAL;
	if (is_signal) {
		process.signal = 0;
		l->stop = CRUX_STOP_NOT;
		l->sent = 0;
		l->fault.message[0] = '\0';
	}
	pthread_mutex_unlock(&process.lock);
	return is_signal;
}

void crux_watchdog_at_end(void (*restore)(void))
{
	pthread_mutex_lock(&process.lock);
	process.restore = restore;
	pthread_mutex_unlock(&process.lock);
}

void crux_watchdog_tidy(void)
{
	pthread_mutex_lock(&process.lock);
	tidy();
	pthread_mutex_unlock(&process.lock);
}
