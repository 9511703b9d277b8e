/* A pool of threads, each a worker with an engine of its own. */
#include "host/workers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fault.h"
#include "host/engine.h"
#include "host/job_list.h"
#include "host/worker.h"
#include "limits/watchdog.h"

enum {
	PATIENCE = 10 * 1000 * 1000, /* nanoseconds between two interrupts of a thread */
	LULL = 500 * 1000,           /* nanoseconds in which several results may come */
};

typedef struct threads threads;

typedef struct member {
	threads *pool;
	crux_worker worker;
	pthread_t thread;
	bool has_ended;
} member;

struct threads {
	pthread_mutex_t lock; /* guards has_ended, and all below but `start`, and bytes and fault of a job that a worker has */
	pthread_cond_t work;  /* there is an item, or the pool stops */
	pthread_cond_t result;
	crux_job_list jobs;
	bool stopping;
	crux_bytes start;
	size_t count;
	member members[];
};

static void *work(void *argument)
{
	member *t = argument;
	threads *pool = t->pool;
	crux_worker *w = &t->worker;
	crux_interrupt_allow();
	crux_worker_start(w, &pool->start);
	pthread_mutex_lock(&pool->lock);
	while (!pool->stopping) {
		crux_job *job = crux_job_list_take(&pool->jobs);
		if (!job) {
			pthread_cond_wait(&pool->work, &pool->lock);
			continue;
		}
		pthread_mutex_unlock(&pool->lock);
		job->failed = !crux_worker_run(w, &job->bytes, &job->fault);
		pthread_mutex_lock(&pool->lock);
		job->done = true;
		if (job == pool->jobs.oldest)
			pthread_cond_signal(&pool->result);
	}
	t->has_ended = true;
	pthread_cond_signal(&pool->result);
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

static bool add_thread(threads *pool, const char *home, crux_opener lpeg, crux_fault *fault)
{
	member *t = &pool->members[pool->count];
	t->pool = pool;
	t->worker.engine = crux_engine_open(home, lpeg, fault);
	if (!t->worker.engine)
		return false;
	int const problem = pthread_create(&t->thread, NULL, work, t);
	if (problem) {
		crux_engine_free(t->worker.engine);
		crux_fault_set(fault, "cannot start thread %zu: %s", pool->count + 1, strerror(problem));
		return false;
	}
	pool->count++;
	return true;
}

/* Stops the work of a thread. A job that is just beginning forgets that, so call this again until the thread has ended. */
static void interrupt(const member *t)
{
	crux_budget *const limits = &t->worker.engine->limits;
	crux_budget_stop(limits, CRUX_STOP_WORKER);
	crux_watchdog_forget(limits);
	crux_interrupt_send(t->thread);
}

/* Waits PATIENCE for a thread to end; returns true when it has ended. */
static bool has_ended(member *t)
{
	threads *pool = t->pool;
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += PATIENCE;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	pthread_mutex_lock(&pool->lock);
	while (!t->has_ended && pthread_cond_timedwait(&pool->result, &pool->lock, &until) == 0)
		;
	bool const ended = t->has_ended;
	pthread_mutex_unlock(&pool->lock);
	return ended;
}

static void stop_threads(threads *pool)
{
	pthread_mutex_lock(&pool->lock);
	pool->stopping = true;
	pthread_cond_broadcast(&pool->work);
	pthread_mutex_unlock(&pool->lock);
	for (size_t i = 0; i < pool->count; i++)
		interrupt(&pool->members[i]);
	for (size_t i = 0; i < pool->count; i++) {
		while (!has_ended(&pool->members[i]))
			interrupt(&pool->members[i]);
		pthread_join(pool->members[i].thread, NULL);
	}
}

static void stop(void *argument)
{
	threads *pool = argument;
	if (!pool)
		return;
	stop_threads(pool);
	for (size_t i = 0; i < pool->count; i++)
		crux_engine_free(pool->members[i].worker.engine);
	crux_job_list_clear(&pool->jobs);
	crux_bytes_free(&pool->start);
	pthread_mutex_destroy(&pool->lock);
	pthread_cond_destroy(&pool->work);
	pthread_cond_destroy(&pool->result);
	free(pool);
}

static void *start(size_t count, const char *home, crux_opener lpeg, crux_bytes *start_values, crux_fault *fault)
{
	threads *pool = calloc(1, sizeof *pool + count * sizeof *pool->members);
	if (!pool) {
		crux_bytes_free(start_values);
		crux_fault_set(fault, "out of memory");
		return NULL;
	}
	pool->start = *start_values;
	*start_values = (crux_bytes){0};
	pthread_mutex_init(&pool->lock, NULL); /* these three cannot fail without attributes */
	pthread_cond_init(&pool->work, NULL);
	pthread_cond_init(&pool->result, NULL);
	while (pool->count < count)
		if (!add_thread(pool, home, lpeg, fault)) {
			stop(pool);
			return NULL;
		}
	return pool;
}

static bool put(void *argument, crux_bytes *item)
{
	threads *pool = argument;
	crux_job *job = crux_job_new(item);
	if (!job)
		return false;
	pthread_mutex_lock(&pool->lock);
	crux_job_list_add(&pool->jobs, job);
	pthread_cond_signal(&pool->work);
	pthread_mutex_unlock(&pool->lock);
	return true;
}

static const char *wait_for_result(void *argument, crux_fault *fault)
{
	threads *pool = argument;
	crux_job const *job = pool->jobs.oldest;
	pthread_mutex_lock(&pool->lock);
	if (job && !job->done) { /* waking up for each of many short jobs takes longer than the jobs */
		pthread_mutex_unlock(&pool->lock);
		nanosleep(&(struct timespec){.tv_nsec = LULL}, NULL);
		pthread_mutex_lock(&pool->lock);
	}
	while (job && !job->done)
		pthread_cond_wait(&pool->result, &pool->lock);
	pthread_mutex_unlock(&pool->lock);
	return crux_job_result(job, fault);
}

static void drop(void *argument)
{
	threads *pool = argument;
	pthread_mutex_lock(&pool->lock);
	crux_job *job = crux_job_list_remove(&pool->jobs);
	pthread_mutex_unlock(&pool->lock);
	crux_job_free(job);
}

const crux_executor crux_workers = {
	.start = start, .stop = stop, .put = put, .wait = wait_for_result, .drop = drop,
};
