/* A pool of threads, each with an engine of its own: a list of jobs, from the oldest not taken to the newest. */
#include "workers.h"

#include <errno.h>
#include <lauxlib.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine.h"
#include "fault.h"
#include "interrupt.h"

enum { PATIENCE = 10 * 1000 * 1000 }; /* nanoseconds between two interrupts of a thread */

typedef struct job {
	struct job *next;
	crux_bytes bytes; /* the item, then the result */
	bool done, failed;
	crux_fault fault;
} job;

typedef struct worker {
	crux_workers *pool;
	crux_engine *engine;
	pthread_t thread;
	crux_interrupt interrupt;
	job *job;    /* at hand */
	bool failed; /* to start */
	crux_fault fault;
} worker;

struct crux_workers {
	pthread_mutex_t lock; /* of all below but `start`; bytes and fault of a job are its worker's while that has it */
	pthread_cond_t work;  /* there is an item, or the pool stops */
	pthread_cond_t result;
	job *oldest, *newest;
	job *next; /* the first that no worker has */
	bool stopping;
	crux_bytes start;
	size_t count; /* of threads */
	worker workers[];
};

/* Makes the function for the items; the registry keeps it under the worker's address. */
static int start(lua_State *L)
{
	worker *w = lua_touserdata(L, 1);
	crux_interrupt_prepare(&w->interrupt, L);
	lua_getglobal(L, "package");
	const char *bytes = crux_value_push(L, w->pool->start.data);
	lua_setfield(L, -2, "path");
	lua_getglobal(L, "require");
	bytes = crux_value_push(L, bytes);
	lua_call(L, 1, 1);
	crux_value_push(L, bytes);
	lua_call(L, 1, 1);
	lua_rawsetp(L, LUA_REGISTRYINDEX, w);
	return 0;
}

/* Turns the item of the job at hand into its result. */
static int run(lua_State *L)
{
	worker *w = lua_touserdata(L, 1);
	crux_bytes *bytes = &w->job->bytes;
	crux_fault fault;
	lua_rawgetp(L, LUA_REGISTRYINDEX, w);
	crux_value_push(L, bytes->data);
	lua_call(L, 1, 1);
	bytes->size = 0;
	return crux_value_write(L, -1, "result", bytes, &fault) ? 0 : luaL_error(L, "%s", fault.message);
}

static void do_job(worker *w)
{
	job *j = w->job;
	if (w->failed)
		j->fault = w->fault;
	j->failed = w->failed || !crux_engine_call(w->engine, run, w, &j->fault);
}

static void *work(void *argument)
{
	worker *w = argument;
	crux_workers *pool = w->pool;
	w->failed = !crux_engine_call(w->engine, start, w, &w->fault);
	pthread_mutex_lock(&pool->lock);
	while (!pool->stopping) {
		w->job = pool->next;
		if (!w->job) {
			pthread_cond_wait(&pool->work, &pool->lock);
			continue;
		}
		pool->next = w->job->next;
		pthread_mutex_unlock(&pool->lock);
		do_job(w);
		pthread_mutex_lock(&pool->lock);
		w->job->done = true;
		if (w->job == pool->oldest)
			pthread_cond_signal(&pool->result);
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

/* Starts one more thread. */
static bool add_worker(crux_workers *pool, const char *home, crux_fault *fault)
{
	worker *w = &pool->workers[pool->count];
	w->pool = pool;
	w->engine = crux_engine_new(home, fault);
	if (!w->engine)
		return false;
	int const problem = pthread_create(&w->thread, NULL, work, w);
	if (problem) {
		crux_engine_free(w->engine);
		crux_fault_set(fault, "cannot start thread %zu: %s", pool->count + 1, strerror(problem));
		return false;
	}
	pool->count++;
	return true;
}

crux_workers *crux_workers_new(size_t count, const char *home, crux_bytes *start_values, crux_fault *fault)
{
	crux_workers *pool = calloc(1, sizeof *pool + count * sizeof *pool->workers);
	if (!pool) {
		crux_bytes_free(start_values);
		crux_fault_set(fault, "out of memory");
		return NULL;
	}
	pool->start = *start_values;
	*start_values = (crux_bytes){0};
	pthread_mutex_init(&pool->lock, NULL); /* the three cannot fail without attributes */
	pthread_cond_init(&pool->work, NULL);
	pthread_cond_init(&pool->result, NULL);
	while (pool->count < count)
		if (!add_worker(pool, home, fault)) {
			crux_workers_free(pool);
			return NULL;
		}
	return pool;
}

/* Waits a while for a thread to end. */
static bool has_ended(pthread_t thread)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += PATIENCE;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	return pthread_timedjoin_np(thread, NULL, &until) != ETIMEDOUT;
}

static void stop_threads(crux_workers *pool)
{
	pthread_mutex_lock(&pool->lock);
	pool->stopping = true;
	pthread_cond_broadcast(&pool->work);
	pthread_mutex_unlock(&pool->lock);
	for (size_t i = 0; i < pool->count; i++)
		crux_interrupt_send(&pool->workers[i].interrupt, pool->workers[i].thread);
	for (size_t i = 0; i < pool->count; i++)
		while (!has_ended(pool->workers[i].thread))
			crux_interrupt_send(&pool->workers[i].interrupt, pool->workers[i].thread);
}

static void free_job(job *j)
{
	crux_bytes_free(&j->bytes);
	free(j);
}

void crux_workers_free(crux_workers *pool)
{
	if (!pool)
		return;
	stop_threads(pool);
	for (size_t i = 0; i < pool->count; i++)
		crux_engine_free(pool->workers[i].engine);
	for (job *j = pool->oldest, *next; j; j = next) {
		next = j->next;
		free_job(j);
	}
	crux_bytes_free(&pool->start);
	pthread_mutex_destroy(&pool->lock);
	pthread_cond_destroy(&pool->work);
	pthread_cond_destroy(&pool->result);
	free(pool);
}

bool crux_workers_put(crux_workers *pool, crux_bytes *item)
{
	job *j = calloc(1, sizeof *j);
	if (!j)
		return false;
	j->bytes = *item;
	*item = (crux_bytes){0};
	pthread_mutex_lock(&pool->lock);
	if (pool->oldest)
		pool->newest->next = j;
	else
		pool->oldest = j;
	pool->newest = j;
	if (!pool->next)
		pool->next = j;
	pthread_cond_signal(&pool->work);
	pthread_mutex_unlock(&pool->lock);
	return true;
}

const char *crux_workers_wait(crux_workers *pool, crux_fault *fault)
{
	job const *j = pool->oldest;
	if (!j) {
		crux_fault_set(fault, "no item was put that is not taken yet");
		return NULL;
	}
	pthread_mutex_lock(&pool->lock);
	while (!j->done)
		pthread_cond_wait(&pool->result, &pool->lock);
	pthread_mutex_unlock(&pool->lock);
	if (j->failed)
		*fault = j->fault;
	return j->failed ? NULL : j->bytes.data;
}

void crux_workers_drop(crux_workers *pool)
{
	job *j = pool->oldest;
	if (!j)
		return;
	pthread_mutex_lock(&pool->lock);
	pool->oldest = j->next;
	pthread_mutex_unlock(&pool->lock);
	free_job(j);
}
