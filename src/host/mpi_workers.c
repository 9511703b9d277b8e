/* Workers that are processes of MPI: rank 0 deals items out and gathers results; the others serve. */
#include "host/mpi_workers.h"

#include <lauxlib.h>
#include <lua-lpeg.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/fault.h"
#include "host/child.h"
#include "host/job_list.h"

enum {
	DEPTH = 64,                /* items that a rank has at a time, at most: to work on one while others are on their way */
	WORTH = 20 * 1000 * 1000,  /* nanoseconds of work that it has, as far as one knows */
	FEW = 2,                   /* items that it has while one does not know */
	PATIENCE = 100 * 1000,     /* nanoseconds between two looks at what came by MPI, which itself would wait busily, */
	LONG_PATIENCE = 1000 * 1000, /* and while there is enough to do */
	IDLE = 2 * 1000 * 1000,    /* and while there is no pool */
};

/* What a message from rank 0 says, and to rank 0. */
enum { START = 1, ITEM, STOP, DISMISS, RESULT, STOPPED };

static MPI_Comm const world = MPI_COMM_WORLD;

/* The jobs that a rank has, from the oldest on. */
typedef struct post {
	crux_job *jobs[DEPTH];
	MPI_Request requests[DEPTH]; /* in rank 0: of sending them to another rank */
	int count;
} post;

typedef struct pool {
	crux_bytes home, start;
	crux_child child; /* of rank 0 */
	crux_job_list jobs;
	int waiting; /* jobs that nobody has */
	int ranks;
	double since; /* seconds: when the first job was put */
	long results; /* since then */
	crux_bytes message;
	post posts[]; /* by rank */
} pool;

/* Sends to all ranks but this. */
static void tell(int tag, const crux_bytes *bytes)
{
	int ranks;
	MPI_Comm_size(world, &ranks);
	for (int rank = 1; rank < ranks; rank++)
		MPI_Send(bytes ? bytes->data : NULL, bytes ? (int)bytes->size : 0, MPI_BYTE, rank, tag, world);
}

/* Receives what has come, if anything has; false when memory is short. */
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

/* Gives up: without memory for a message nothing is left to be said. */
static void abort_all(void)
{
	MPI_Abort(world, EXIT_FAILURE);
	abort();
}

/* The message becomes the job's result. */
static void finish(crux_job *job, crux_bytes *message)
{
	job->failed = !crux_child_open(message, &job->fault);
	crux_bytes const item = job->bytes;
	job->bytes = *message;
	*message = item;
	job->done = true;
}

/* Takes the oldest job off. */
static crux_job *remove_first(post *from)
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
		MPI_Wait(&p->posts[rank].requests[0], MPI_STATUS_IGNORE); /* the item has arrived, its bytes may change */
	finish(remove_first(&p->posts[rank]), &p->message);
	p->results++;
}

/* Gives a rank's own child what it may have of the rank's jobs. */
static void feed(crux_child *child, const post *own)
{
	while (child->given < own->count) {
		crux_bytes const *item = &own->jobs[child->given]->bytes;
		if (!crux_child_give(child, item->data, item->size))
			return;
	}
}

/* Waits for a rank's own child: until there is a result, but at most so long; a while, if it has so much to do that one need
 * not look at each result; and while there is something to do, nothing that comes by MPI is urgent. Returns whether there is a
 * result. */
static bool attend(crux_child *child, const post *own, crux_bytes *message, long nanoseconds)
{
	feed(child, own);
	if (own->count >= FEW && nanoseconds > 0)
		nanoseconds = LONG_PATIENCE;
	if (own->count > 0 && own->count <= FEW)
		return crux_child_take(child, message, nanoseconds);
	if (nanoseconds > 0)
		nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
	return crux_child_take(child, message, 0);
}

/* How many items a rank should have: as many as take a while; near the end one, as an item behind a long one would wait
 * though others are free. */
static int depth(const pool *p)
{
	if (p->waiting <= p->ranks)
		return 1;
	if (p->results <= FEW * p->ranks)
		return FEW;
	double const each = (crux_clock_now() - p->since) * p->ranks / (double)p->results; /* seconds */
	double const most = fmin(WORTH * 1e-9 / each, p->waiting / p->ranks);
	return (int)fmax(FEW, fmin(DEPTH, most));
}

/* Deals a job to each rank that has fewer than so many; false when there was none to deal. */
static bool deal(pool *p, int most)
{
	int const before = p->waiting;
	for (int rank = 0; rank < p->ranks && p->waiting > 0; rank++) {
		post *to = &p->posts[rank];
		if (to->count >= most)
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

/* Receives the results that are there, waiting a little for some, and deals out what can be. */
static void go_on(pool *p, long nanoseconds)
{
	MPI_Status status;
	int is_there = true;
	for (long patience = nanoseconds; attend(&p->child, &p->posts[0], &p->message, patience); patience = 0)
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
	feed(&p->child, &p->posts[0]);
}

static void stop(void *argument)
{
	pool *p = argument;
	if (!p)
		return;
	crux_child_stop(&p->child);
	tell(STOP, NULL);
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
		MPI_Waitall(p->posts[rank].count, p->posts[rank].requests, MPI_STATUSES_IGNORE);
	crux_job_list_clear(&p->jobs);
	crux_bytes_free(&p->home);
	crux_bytes_free(&p->start);
	crux_bytes_free(&p->message);
	free(p);
}

static void *start(size_t count, const char *home, crux_opener lpeg, crux_bytes *start_values, crux_fault *fault)
{
	pool *p = calloc(1, sizeof *p + count * sizeof *p->posts);
	size_t const size = strlen(home) + 1;
	if (!p || !crux_bytes_reserve(&p->home, size)) {
		free(p);
		crux_bytes_free(start_values);
		crux_fault_set(fault, "out of memory");
		return NULL;
	}
	memcpy(p->home.data, home, size);
	p->home.size = size;
	p->start = *start_values;
	*start_values = (crux_bytes){0};
	p->ranks = (int)count;
	p->child = (crux_child){.home = p->home.data, .lpeg = lpeg, .start = &p->start};
	tell(START, &p->home);
	tell(START, &p->start);
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
	go_on(p, 0);
	return true;
}

static const char *wait_for_result(void *argument, crux_fault *fault)
{
	pool *p = argument;
	crux_job const *job = p->jobs.oldest;
	for (long patience = 0; job && !job->done; patience = PATIENCE)
		go_on(p, patience);
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
	return (crux_executor){(size_t)ranks, start, stop, put, wait_for_result, drop};
}

void crux_mpi_dismiss(void) { tell(DISMISS, NULL); }

/* A rank that serves: what it was told, the items that it has, and results on their way: by turns, as many as there are items
 * at most, so that the one whose turn it is has arrived. */
typedef struct service {
	crux_bytes home, start;
	crux_child child;
	post own;
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

/* Does what rank 0 says; false when it dismisses this rank. The bytes of a message that is kept are set to zero. */
static bool obey(service *s, int tag, crux_bytes *message)
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

/* Sends a result without waiting until it is received; gives back other bytes for the next. */
static void send_result(service *s, crux_bytes *message)
{
	MPI_Wait(&s->requests[s->turn], MPI_STATUS_IGNORE);
	crux_bytes const old = s->results[s->turn];
	s->results[s->turn] = *message;
	MPI_Isend(message->data, (int)message->size, MPI_BYTE, 0, RESULT, world, &s->requests[s->turn]);
	*message = old;
	s->turn = (s->turn + 1) % DEPTH;
}

/* Keeps the child busy, and passes its results on. */
static void work(service *s, crux_bytes *message)
{
	for (long patience = s->start.data ? PATIENCE : IDLE; attend(&s->child, &s->own, message, patience); patience = 0) {
		crux_job_free(remove_first(&s->own));
		feed(&s->child, &s->own);
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
	} while (!is_there || obey(&s, status.MPI_TAG, &message));
	end_pool(&s);
	crux_bytes_free(&message);
}
