/* watchdog.c: an engine is watched, also if the last other one is forgotten at the same time; a callback's time begins when the
 * engine is watched, at the earliest; the time in which the process is stopped does not count. */
#include "limits/watchdog.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { ROUNDS = 200, PATIENCE = 2000 /* ms */ };

static crux_limit const brief = {.seconds = 1e-3};

/* Forgets an engine when another thread is about to watch its own. */
static void *forget(void *barrier)
{
	crux_budget other = {0};
	CHECK(crux_watchdog_watch(&other, brief, 0));
	pthread_barrier_wait(barrier);
	crux_watchdog_forget(&other);
	return NULL;
}

/* True if an engine in a callback is stopped for its time within PATIENCE. */
static bool is_stopped(crux_budget *engine)
{
	for (int i = 0; i < PATIENCE && !engine->stop; i++)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	return engine->stop == CRUX_STOP_TIME;
}

static void test_comes_while_the_last_goes(void)
{
	bool watched = true;
	for (int i = 0; i < ROUNDS && watched; i++) {
		crux_budget engine = {.depth = 1};
		pthread_barrier_t barrier;
		pthread_t thread;
		pthread_barrier_init(&barrier, NULL, 2);
		pthread_create(&thread, NULL, forget, &barrier);
		pthread_barrier_wait(&barrier);
		nanosleep(&(struct timespec){.tv_nsec = 1000 * i}, NULL);
		watched = crux_watchdog_watch(&engine, brief, 0) && is_stopped(&engine);
		pthread_join(thread, NULL);
		CHECK(watched);
		if (watched)
			crux_watchdog_forget(&engine);
		pthread_barrier_destroy(&barrier);
	}
}

/* A callback that the watchdog sees before the callback is counted has its whole limit. The watchdog looks at least once. */
static void test_callback_that_is_not_counted_yet(void)
{
	crux_budget engine = {.depth = 1};
	CHECK(crux_watchdog_watch(&engine, (crux_limit){.seconds = 60}, 0));
	nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
	CHECK(engine.stop == CRUX_STOP_NOT);
	crux_watchdog_forget(&engine);
}

/* A child stops itself for longer than the limit. The watchdog looks four times in 0.2 s. */
static void test_process_that_is_stopped(void)
{
	pid_t const child = fork();
	if (child == 0) {
		crux_budget engine = {.depth = 1, .serial = 1};
		if (!crux_watchdog_watch(&engine, (crux_limit){.seconds = 0.6}, 0))
			_exit(2);
		nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
		raise(SIGSTOP);
		nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
		_exit(engine.stop == CRUX_STOP_TIME);
	}
	int status = 0;
	CHECK(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
	nanosleep(&(struct timespec){.tv_nsec = 800000000}, NULL);
	kill(child, SIGCONT);
	CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
	test_process_that_is_stopped();
	test_callback_that_is_not_counted_yet();
	test_comes_while_the_last_goes();
	return check_summary();
}
