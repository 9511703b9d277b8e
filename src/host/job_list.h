/* The items of a pool and their results: a list of jobs, from the oldest to the newest. */
#pragma once

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
	crux_job *next; /* the first one that no worker has taken */
} crux_job_list;

/* Makes a job of an item: takes its bytes and sets `item` to zero. Returns NULL if memory is short. */
crux_job *crux_job_new(crux_bytes *item);

void crux_job_free(crux_job *job);

/* Adds a job, which then belongs to the list. */
void crux_job_list_add(crux_job_list *list, crux_job *job);

/* Takes the first job that no worker has taken; it stays in the list. Returns NULL if there is none. */
crux_job *crux_job_list_take(crux_job_list *list);

/* Removes the oldest job from the list; returns NULL if the list is empty. */
crux_job *crux_job_list_remove(crux_job_list *list);

/* Frees all jobs of the list. */
void crux_job_list_clear(crux_job_list *list);

/* The result that crux_executor.wait returns for a job that is done, or for NULL. */
const char *crux_job_result(const crux_job *job, crux_fault *fault);
