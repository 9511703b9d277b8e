/* The watchdog of a program that runs scripts: a thread that looks at the engines every few milliseconds. */
#include "limits/watchdog.h"

#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fault.h"
#include "base/temporaries.h"

static const double tick = 0.05;            /* seconds between two looks, at most */
static const double looks = 4;              /* within the shortest limit, at least */
static const double callback_patience = 0.5; /* seconds in which a callback that is stopped must end, */
static const double patience = 1;           /* and the command */
static const double together = 0.1;         /* in which several signals are one, as timeout(1) sends two */

static const int ending[] = {SIGINT, SIGTERM, SIGHUP};

enum { ENDING = sizeof ending / sizeof *ending };

static struct {
	pthread_mutex_t lock; /* of all but what the signal handler uses */
	bool is_ready;        /* for forks */
	bool is_watching, is_closing;
	pthread_t thread;
	crux_budget *engines;
	crux_tidying *tidyings;
	double began;
	_Atomic double pause; /* seconds between two looks */
	struct sigaction former[ENDING];
	sem_t wake;
	atomic_int signal;
	_Atomic double signalled; /* when that came */
	atomic_bool is_insistent; /* another came */
} process = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void tidy(void)
{
	for (crux_tidying *t = process.tidyings; t; t = t->next)
		t->tidy(t);
	crux_temporaries_remove();
}

/* Ends the process without the help of the thread that does not yield. */
static void end(const crux_budget *l)
{
	static const char erase[] = "\r\33[K"; /* a line that shows progress */
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

/* Stops an engine whose time is up. */
static void look_at(crux_budget *l, double now)
{
	unsigned const serial = atomic_load(&l->serial);
	bool const is_inside = atomic_load(&l->depth) > 0;
	if (l->run > 0 && now - process.began > l->run)
		crux_budget_stop(l, CRUX_STOP_RUN);
	if (process.signal) {
		l->signal = process.signal;
		crux_budget_stop(l, CRUX_STOP_SIGNAL);
	}
	if (!is_inside || serial != atomic_load(&l->seen)) {
		atomic_store(&l->since, now);
		atomic_store(&l->seen, serial);
	} else if (l->most.seconds > 0 && now - atomic_load(&l->since) >= l->most.seconds) {
		crux_budget_stop(l, CRUX_STOP_TIME);
	}
	int const stop = l->stop;
	if (stop == CRUX_STOP_NOT || stop == CRUX_STOP_WORKER || (stop < CRUX_STOP_RUN && !is_inside)) {
		l->sent = 0;
		return;
	}
	if (l->sent == 0)
		l->sent = now;
	if (now - l->sent > (is_inside ? callback_patience : patience))
		end(l);
	crux_interrupt_send(&l->interrupt, l->thread);
}

static void *watch(void *unused)
{
	(void)unused;
	for (;;) {
		struct timespec until;
		clock_gettime(CLOCK_MONOTONIC, &until);
		double const seconds = (double)until.tv_nsec * 1e-9 + process.pause;
		until.tv_sec += (time_t)seconds;
		until.tv_nsec = (long)((seconds - floor(seconds)) * 1e9);
		sem_clockwait(&process.wake, CLOCK_MONOTONIC, &until);
		pthread_mutex_lock(&process.lock);
		if (process.is_insistent)
			end(NULL);
		for (crux_budget *l = process.engines; l && !process.is_closing; l = l->next)
			look_at(l, crux_clock_now());
		bool const is_closing = process.is_closing;
		pthread_mutex_unlock(&process.lock);
		if (is_closing)
			return NULL;
	}
}

static void on_signal(int signal)
{
	double const now = crux_clock_now();
	if (!process.signal)
		process.signalled = now;
	else if (now - process.signalled > together)
		process.is_insistent = true;
	process.signal = signal;
	sem_post(&process.wake);
}

static void before_fork(void) { pthread_mutex_lock(&process.lock); }

static void after_fork(void) { pthread_mutex_unlock(&process.lock); }

/* The child has none of its parent's threads, engines and files. */
static void begin_child(void)
{
	process.is_watching = false;
	process.engines = NULL;
	process.tidyings = NULL;
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

/* Starts the thread, in which no signal is handled. */
static bool start(void)
{
	sigset_t all, former;
	if (!process.is_ready)
		pthread_atfork(before_fork, after_fork, begin_child);
	process.is_ready = true;
	process.is_closing = false;
	process.began = crux_clock_now();
	process.pause = tick;
	sem_init(&process.wake, 0, 0);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &former);
	process.is_watching = pthread_create(&process.thread, NULL, watch, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &former, NULL);
	if (process.is_watching)
		take_signals();
	return process.is_watching;
}

/* Takes an engine off the list; false when it is not there. */
static bool take_off(crux_budget *l)
{
	crux_budget **place = &process.engines;
	while (*place && *place != l)
		place = &(*place)->next;
	bool const found = *place;
	if (found)
		*place = l->next;
	return found;
}

bool crux_watchdog_watch(crux_budget *l, crux_limit most, double run)
{
	crux_interrupt_allow();
	pthread_mutex_lock(&process.lock);
	bool const is_done = process.is_watching || start();
	take_off(l);
	l->watched = is_done;
	l->most = most;
	l->run = run;
	l->thread = pthread_self();
	if (is_done && l->stop != CRUX_STOP_WORKER) {
		l->next = process.engines;
		process.engines = l;
	}
	if (most.seconds > 0)
		process.pause = fmin(process.pause, fmax(most.seconds / looks, 1e-3));
	pthread_mutex_unlock(&process.lock);
	return is_done;
}

void crux_watchdog_forget(crux_budget *l)
{
	pthread_mutex_lock(&process.lock);
	bool const is_last = take_off(l) && !process.engines;
	process.is_closing = is_last;
	pthread_mutex_unlock(&process.lock);
	if (!is_last)
		return;
	sem_post(&process.wake);
	pthread_join(process.thread, NULL);
	for (int i = 0; i < ENDING; i++)
		sigaction(ending[i], &process.former[i], NULL);
	process.is_watching = false;
}

void crux_watchdog_add(crux_tidying *t)
{
	pthread_mutex_lock(&process.lock);
	t->next = process.tidyings;
	process.tidyings = t;
	pthread_mutex_unlock(&process.lock);
}

void crux_watchdog_remove(crux_tidying *t)
{
	pthread_mutex_lock(&process.lock);
	crux_tidying **place = &process.tidyings;
	while (*place && *place != t)
		place = &(*place)->next;
	if (*place)
		*place = t->next;
	pthread_mutex_unlock(&process.lock);
}

void crux_watchdog_tidy(void)
{
	pthread_mutex_lock(&process.lock);
	tidy();
	pthread_mutex_unlock(&process.lock);
}
