/* Workers that are processes of MPI: rank 0 deals items out and gathers results; the others serve. */
#include "mpi_workers.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "child.h"
#include "fault.h"
#include "job_list.h"

enum {
	DEPTH = 2,              /* items that a rank has at a time: the second saves the way to rank 0 and back */
	PATIENCE = 100 * 1000,  /* nanoseconds between two looks at what came by MPI, which itself would wait busily */
	IDLE = 2 * 1000 * 1000, /* the same when there is nothing to do */
};

/* What a message from rank 0 says, and to rank 0. */
enum { START = 1, ITEM, STOP, DISMISS, RESULT, STOPPED };

static MPI_Comm const world = MPI_COMM_WORLD;

/* The jobs that a rank has, from the oldest on. */
typedef struct post {
	crux_job *jobs[DEPTH];
	MPI_Request requests[DEPTH]; /* of sending them */
	int count;
} post;

typedef struct pool {
	crux_bytes home, start;
	crux_child child; /* of rank 0 */
	crux_job *own;    /* that it has */
	crux_job_list jobs;
	int waiting; /* jobs that nobody has */
	int ranks;
	crux_bytes message;
	post posts[]; /* by rank; that of rank 0 stays empty */
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

static void receive_result(pool *p, int rank)
{
	post *from = &p->posts[rank];
	MPI_Wait(&from->requests[0], MPI_STATUS_IGNORE); /* the item must have arrived: its bytes may change */
	finish(from->jobs[0], &p->message);
	from->count--;
	memmove(from->jobs, from->jobs + 1, (DEPTH - 1) * sizeof *from->jobs);
	memmove(from->requests, from->requests + 1, (DEPTH - 1) * sizeof *from->requests);
}

/* Deals jobs to the ranks that have fewer than so many. */
static void deal(pool *p, int most)
{
	if (most == 1 && !p->own && p->waiting > 0) {
		p->own = crux_job_list_take(&p->jobs);
		p->waiting--;
		crux_child_give(&p->child, p->own->bytes.data, p->own->bytes.size);
	}
	for (int rank = 1; rank < p->ranks && p->waiting > 0; rank++) {
		post *to = &p->posts[rank];
		if (to->count >= most)
			continue;
		crux_job *job = crux_job_list_take(&p->jobs);
		p->waiting--;
		to->jobs[to->count] = job;
		MPI_Isend(job->bytes.data, (int)job->bytes.size, MPI_BYTE, rank, ITEM, world, &to->requests[to->count]);
		to->count++;
	}
}

/* Receives the results that are there, waiting a little for some, and deals out what can be. Ranks get a second item only
 * while there are more than enough: near the end, an item behind a long one would wait though others are free. */
static void go_on(pool *p, long nanoseconds)
{
	MPI_Status status;
	int is_there = true;
	while (is_there) {
		if (!receive(MPI_ANY_SOURCE, &p->message, &status, &is_there))
			abort_all();
		if (is_there)
			receive_result(p, status.MPI_SOURCE);
	}
	if (p->own && crux_child_take(&p->child, &p->message, nanoseconds)) {
		finish(p->own, &p->message);
		p->own = NULL;
	} else if (!p->own && nanoseconds > 0) {
		nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
	}
	deal(p, 1);
	if (p->waiting > p->ranks)
		deal(p, DEPTH);
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

static void *start(size_t count, const char *home, crux_bytes *start_values, crux_fault *fault)
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
	p->child = (crux_child){.home = p->home.data, .start = &p->start};
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

/* A rank that serves: what it was told, and the items that it has. */
typedef struct service {
	crux_bytes home, start;
	crux_child child;
	crux_bytes items[DEPTH]; /* the first is the child's when that is busy */
	int count;
} service;

static void end_pool(service *s)
{
	crux_child_stop(&s->child);
	crux_bytes_free(&s->home);
	crux_bytes_free(&s->start);
	for (int i = 0; i < s->count; i++)
		crux_bytes_free(&s->items[i]);
	*s = (service){0};
}

/* Does what rank 0 says; false when it dismisses this rank. */
static bool obey(service *s, int tag, crux_bytes *message)
{
	crux_bytes *to = NULL;
	if (tag == START)
		to = s->home.data ? &s->start : &s->home;
	else if (tag == ITEM)
		to = &s->items[s->count++];
	if (to) {
		*to = *message;
		*message = (crux_bytes){0};
		s->child.home = s->home.data;
		s->child.start = &s->start;
	} else if (tag == STOP) {
		end_pool(s);
		MPI_Send(NULL, 0, MPI_BYTE, 0, STOPPED, world);
	}
	return tag != DISMISS;
}

/* Keeps the child busy, and passes its results on. */
static void attend(service *s, crux_bytes *message)
{
	if (s->count == 0) {
		nanosleep(&(struct timespec){.tv_nsec = s->start.data ? PATIENCE : IDLE}, NULL);
		return;
	}
	if (!s->child.is_busy)
		crux_child_give(&s->child, s->items[0].data, s->items[0].size);
	if (!crux_child_take(&s->child, message, PATIENCE))
		return;
	crux_bytes_free(&s->items[0]);
	memmove(s->items, s->items + 1, (DEPTH - 1) * sizeof *s->items);
	s->items[--s->count] = (crux_bytes){0};
	if (s->count > 0)
		crux_child_give(&s->child, s->items[0].data, s->items[0].size);
	MPI_Send(message->data, (int)message->size, MPI_BYTE, 0, RESULT, world);
}

void crux_mpi_serve(void)
{
	service s = {0};
	crux_bytes message = {0};
	MPI_Status status;
	int is_there;
	do {
		if (!receive(0, &message, &status, &is_there))
			abort_all();
		if (!is_there)
			attend(&s, &message);
	} while (!is_there || obey(&s, status.MPI_TAG, &message));
	end_pool(&s);
	crux_bytes_free(&message);
}
