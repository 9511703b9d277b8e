/* The items of a pool and their results: a list of jobs, from the oldest to the newest. */
#ifndef CRUX_JOB_LIST_H
#define CRUX_JOB_LIST_H

#include "base/bytes.h"
#include "crux.h"

typedef struct crux_job {
	struct crux_job *next;
	crux_bytes bytes; /* the item, then the result */
	bool done, failed;
	crux_fault fault;
} crux_job;

/* All zeros: an empty list. */
typedef struct crux_job_list {
	crux_job *oldest, *newest;
	crux_job *next; /* the first that no worker has */
} crux_job_list;

/* A job for an item, whose bytes become the job's and are set to zero; NULL when memory is short. */
crux_job *crux_job_new(crux_bytes *item);

void crux_job_free(crux_job *job);

/* The job becomes the list's. */
void crux_job_list_add(crux_job_list *list, crux_job *job);

/* The first job that no worker has, which has one now; NULL when there is none. */
crux_job *crux_job_list_take(crux_job_list *list);

/* Takes the oldest job off the list; NULL when it is empty. */
crux_job *crux_job_list_remove(crux_job_list *list);

/* Frees all jobs. */
void crux_job_list_clear(crux_job_list *list);

/* What crux_executor.wait returns for a job that is done, or for NULL, when there is none. */
const char *crux_job_result(const crux_job *job, crux_fault *fault);

#endif
