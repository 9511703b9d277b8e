/* Workers that are processes of MPI: rank 0 gives items to all ranks and collects the results. */
#include "host/mpi_workers.h"

#include <lauxlib.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/fault.h"
#include "host/child.h"
#include "host/engine.h"
#include "host/job_list.h"

enum {
	DEPTH = 64,                  /* most items that a rank has at a time: it works on one while others are on their way */
	WORTH = 20 * 1000 * 1000,    /* nanoseconds of work that a rank should have, by the average time of an item */
	FEW = 2,                     /* items that a rank has while that average is not known */
	PATIENCE = 100 * 1000,       /* nanoseconds between two looks for messages, as MPI itself waits busily */
	LONG_PATIENCE = 1000 * 1000, /* the same while a rank has enough items */
	IDLE = 2 * 1000 * 1000,      /* the same while there is no pool */
};

/* Tags of messages: from rank 0, and, the last two, to rank 0. */
enum { START = 1, ITEM, STOP, DISMISS, RESULT, STOPPED };

static MPI_Comm const world = MPI_COMM_WORLD;

/* The jobs that a rank has, oldest first. */
typedef struct job_queue {
	crux_job *jobs[DEPTH];
	MPI_Request requests[DEPTH]; /* in rank 0: of sending the jobs to another rank */
	int count;
} job_queue;

typedef struct pool {
	crux_bytes home, start;
	crux_child child; /* of rank 0 */
	crux_job_list jobs;
	int waiting; /* jobs that no rank has */
	int ranks;
	double since; /* time of crux_clock_now at which the first job was put */
	long results; /* number of results since then */
	crux_bytes message;
	job_queue queues[]; /* by rank */
} pool;

/* Sends a message to all ranks but this one. */
static void broadcast(int tag, const crux_bytes *bytes)
{
	int ranks;
	MPI_Comm_size(world, &ranks);
	for (int rank = 1; rank < ranks; rank++)
		MPI_Send(bytes ? bytes->data : NULL, bytes ? (int)bytes->size : 0, MPI_BYTE, rank, tag, world);
}

/* Receives a message, if there is one; returns false if memory is short. */
static bool receive(int from, crux_bytes *bytes, MPI_Status *status, int *is_there)
{
	int size;
	MPI_Iprobe(from, MPI_ANY_TAG, world, is_there, status);
	if (!*is_there)
		return true;
	MPI_Get_count(status, MPI_BYTE, &size);
	bytes->size = 0;
	if (!crux_bytes_reserve(bytes, (size_t)size + 1))
		return false;
	MPI_Recv(bytes->data, size, MPI_BYTE, status->MPI_SOURCE, status->MPI_TAG, world, status);
	bytes->size = (size_t)size;
	return true;
}

/* Ends all processes, when there is no memory for a message. */
static void abort_all(void)
{
	MPI_Abort(world, EXIT_FAILURE);
	abort();
}

/* The message becomes the job's result. */
static void finish(crux_job *job, crux_bytes *message)
{
	job->failed = !crux_child_result(message, &job->fault);
	crux_bytes const item = job->bytes;
	job->bytes = *message;
	*message = item;
	job->done = true;
}

/* Removes the oldest job. */
static crux_job *remove_first(job_queue *from)
{
	crux_job *job = from->jobs[0];
	from->count--;
	memmove(from->jobs, from->jobs + 1, (size_t)from->count * sizeof *from->jobs);
	memmove(from->requests, from->requests + 1, (size_t)from->count * sizeof *from->requests);
	return job;
}

static void take_result(pool *p, int rank)
{
	if (rank > 0)
		MPI_Wait(&p->queues[rank].requests[0], MPI_STATUS_IGNORE); /* the item has arrived, so its bytes may change */
	finish(remove_first(&p->queues[rank]), &p->message);
	p->results++;
}

/* Gives jobs of a rank to its child, as many as the child takes. */
static void give_jobs(crux_child *child, const job_queue *own)
{
	while (child->in_flight < own->count) {
		crux_bytes const *item = &own->jobs[child->in_flight]->bytes;
		if (!crux_child_give(child, item->data, item->size))
			return;
	}
}

/* Waits for a result of a rank's child, at most `nanoseconds`, or LONG_PATIENCE while the rank has FEW items or more. Without
 * items, and with more than FEW, it sleeps, as no result is urgent. Returns true if there is a result. */
static bool wait_for_child(crux_child *child, const job_queue *own, crux_bytes *message, long nanoseconds)
{
	give_jobs(child, own);
	if (own->count >= FEW && nanoseconds > 0)
		nanoseconds = LONG_PATIENCE;
	if (own->count > 0 && own->count <= FEW)
		return crux_child_take(child, message, nanoseconds);
	if (nanoseconds > 0)
		nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
	return crux_child_take(child, message, 0);
}

/* The number of items that a rank should have: those that take WORTH; near the end one, as an item behind a long one would
 * wait while other ranks are free. */
static int depth(const pool *p)
{
	if (p->waiting <= p->ranks)
		return 1;
	if (p->results <= FEW * p->ranks)
		return FEW;
	double const each = (crux_clock_now() - p->since) * p->ranks / (double)p->results; /* seconds */
	double const enough = fmin(WORTH * 1e-9 / each, p->waiting / p->ranks);
	return (int)fmax(FEW, fmin(DEPTH, enough));
}

/* Gives a job to each rank that has fewer than `limit`; returns false if it gave none. */
static bool deal(pool *p, int limit)
{
	int const before = p->waiting;
	for (int rank = 0; rank < p->ranks && p->waiting > 0; rank++) {
		job_queue *to = &p->queues[rank];
		if (to->count >= limit)
			continue;
		crux_job *job = crux_job_list_take(&p->jobs);
		p->waiting--;
		to->jobs[to->count] = job;
		if (rank > 0)
			MPI_Isend(job->bytes.data, (int)job->bytes.size, MPI_BYTE, rank, ITEM, world, &to->requests[to->count]);
		to->count++;
	}
	return p->waiting < before;
}

/* Waits at most `nanoseconds` for results, takes them, and gives jobs to the ranks. */
static void exchange(pool *p, long nanoseconds)
{
	MPI_Status status;
	int is_there = true;
	for (long patience = nanoseconds; wait_for_child(&p->child, &p->queues[0], &p->message, patience); patience = 0)
		take_result(p, 0);
	while (is_there) {
		if (!receive(MPI_ANY_SOURCE, &p->message, &status, &is_there))
			abort_all();
		if (is_there)
			take_result(p, status.MPI_SOURCE);
	}
	deal(p, 1);
	while (deal(p, depth(p)))
		;
	give_jobs(&p->child, &p->queues[0]);
}

static void stop(void *argument)
{
	pool *p = argument;
	if (!p)
		return;
	crux_child_stop(&p->child);
	broadcast(STOP, NULL);
	for (int left = p->ranks - 1; left > 0;) {
		MPI_Status status;
		int is_there;
		if (!receive(MPI_ANY_SOURCE, &p->message, &status, &is_there))
			abort_all();
		left -= is_there && status.MPI_TAG == STOPPED;
		if (!is_there)
			nanosleep(&(struct timespec){.tv_nsec = PATIENCE}, NULL);
	}
	for (int rank = 1; rank < p->ranks; rank++)
		MPI_Waitall(p->queues[rank].count, p->queues[rank].requests, MPI_STATUSES_IGNORE);
	crux_job_list_clear(&p->jobs);
	crux_bytes_free(&p->home);
	crux_bytes_free(&p->start);
	crux_bytes_free(&p->message);
	free(p);
}

static void *start(size_t count, const char *home, crux_opener lpeg, crux_bytes *start_values, crux_fault *fault)
{
	pool *p = calloc(1, sizeof *p + count * sizeof *p->queues);
	if (!p || !crux_bytes_append(&p->home, home, strlen(home) + 1)) {
		free(p);
		crux_bytes_free(start_values);
		crux_fault_set(fault, "out of memory");
		return NULL;
	}
	p->start = *start_values;
	*start_values = (crux_bytes){0};
	p->ranks = (int)count;
	p->child = (crux_child){.home = p->home.data, .lpeg = lpeg, .start = &p->start};
	broadcast(START, &p->home);
	broadcast(START, &p->start);
	return p;
}

static bool put(void *argument, crux_bytes *item)
{
	pool *p = argument;
	crux_job *job = crux_job_new(item);
	if (!job)
		return false;
	if (p->since == 0)
		p->since = crux_clock_now();
	crux_job_list_add(&p->jobs, job);
	p->waiting++;
	exchange(p, 0);
	return true;
}

static const char *wait_for_result(void *argument, crux_fault *fault)
{
	pool *p = argument;
	crux_job const *job = p->jobs.oldest;
	for (long patience = 0; job && !job->done; patience = PATIENCE)
		exchange(p, patience);
	return crux_job_result(job, fault);
}

static void drop(void *argument)
{
	pool *p = argument;
	crux_job_free(crux_job_list_remove(&p->jobs));
}

crux_executor crux_mpi_executor(void)
{
	int ranks;
	MPI_Comm_size(world, &ranks);
	return (crux_executor){(size_t)ranks, start, stop, put, wait_for_result, drop, NULL, NULL, NULL};
}

void crux_mpi_dismiss(void) { broadcast(DISMISS, NULL); }

/* A rank that serves: its pool, its items, and its results on their way to rank 0. There are at most DEPTH items, so the result
 * whose place is used again has arrived. */
typedef struct service {
	crux_bytes home, start;
	crux_child child;
	job_queue own;
	crux_bytes results[DEPTH];
	MPI_Request requests[DEPTH];
	int turn;
} service;

static service new_service(void)
{
	service s = {0};
	for (int i = 0; i < DEPTH; i++)
		s.requests[i] = MPI_REQUEST_NULL;
	return s;
}

static void end_pool(service *s)
{
	crux_child_stop(&s->child);
	crux_bytes_free(&s->home);
	crux_bytes_free(&s->start);
	while (s->own.count > 0)
		crux_job_free(remove_first(&s->own));
	MPI_Waitall(DEPTH, s->requests, MPI_STATUSES_IGNORE);
	for (int i = 0; i < DEPTH; i++)
		crux_bytes_free(&s->results[i]);
	*s = new_service();
}

/* Handles a message of rank 0; returns false if it dismisses this rank. Sets `message` to zero if it keeps the bytes. */
static bool handle(service *s, int tag, crux_bytes *message)
{
	if (tag == START) {
		crux_bytes *to = s->home.data ? &s->start : &s->home;
		*to = *message;
		*message = (crux_bytes){0};
		s->child.home = s->home.data;
		s->child.lpeg = luaopen_lpeg;
		s->child.start = &s->start;
	} else if (tag == ITEM) {
		crux_job *job = crux_job_new(message);
		if (!job)
			abort_all();
		s->own.jobs[s->own.count++] = job;
	} else if (tag == STOP) {
		end_pool(s);
		MPI_Send(NULL, 0, MPI_BYTE, 0, STOPPED, world);
	}
	return tag != DISMISS;
}

/* Sends a result without waiting until it is received; sets `message` to other bytes for the next one. */
static void send_result(service *s, crux_bytes *message)
{
	MPI_Wait(&s->requests[s->turn], MPI_STATUS_IGNORE);
	crux_bytes const old = s->results[s->turn];
	s->results[s->turn] = *message;
	MPI_Isend(message->data, (int)message->size, MPI_BYTE, 0, RESULT, world, &s->requests[s->turn]);
	*message = old;
	s->turn = (s->turn + 1) % DEPTH;
}

/* Gives jobs to the child and sends its results. */
static void work(service *s, crux_bytes *message)
{
	for (long patience = s->start.data ? PATIENCE : IDLE; wait_for_child(&s->child, &s->own, message, patience); patience = 0) {
		crux_job_free(remove_first(&s->own));
		give_jobs(&s->child, &s->own);
		send_result(s, message);
	}
}

void crux_mpi_serve(void)
{
	service s = new_service();
	crux_bytes message = {0};
	MPI_Status status;
	int is_there;
	do {
		if (!receive(0, &message, &status, &is_there))
			abort_all();
		if (!is_there)
			work(&s, &message);
	} while (!is_there || handle(&s, status.MPI_TAG, &message));
	end_pool(&s);
	crux_bytes_free(&message);
}
