/* The items of a pool and their results: a list of jobs, from the oldest to the newest. */
#include "host/job_list.h"

#include <stdlib.h>

#include "base/fault.h"

crux_job *crux_job_new(crux_bytes *item)
{
	crux_job *job = calloc(1, sizeof *job);
	if (!job)
		return NULL;
	job->bytes = *item;
	*item = (crux_bytes){0};
	return job;
}

void crux_job_free(crux_job *job)
{
	if (!job)
		return;
	crux_bytes_free(&job->bytes);
	free(job);
}

void crux_job_list_add(crux_job_list *list, crux_job *job)
{
	if (list->oldest)
		list->newest->next = job;
	else
		list->oldest = job;
	list->newest = job;
	if (!list->next)
		list->next = job;
}

crux_job *crux_job_list_take(crux_job_list *list)
{
	crux_job *job = list->next;
	if (job)
		list->next = job->next;
	return job;
}

crux_job *crux_job_list_remove(crux_job_list *list)
{
	crux_job *job = list->oldest;
	if (job)
		list->oldest = job->next;
	return job;
}

void crux_job_list_clear(crux_job_list *list)
{
	while (list->oldest)
		crux_job_free(crux_job_list_remove(list));
}

const char *crux_job_result(const crux_job *job, crux_fault *fault)
{
	if (!job)
		crux_fault_set(fault, "no item was put that is not taken yet");
	else if (job->failed)
		*fault = job->fault;
	return job && !job->failed ? job->bytes.data : NULL;
}
