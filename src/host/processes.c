/* Pools of one worker in a process of its own, which is replaced when it dies. */
#include "host/processes.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/fault.h"
#include "base/note.h"
#include "host/child.h"
#include "host/job_list.h"

typedef struct process {
	crux_bytes home, start, message;
	crux_child keeper;
	atomic_int *note;
} process;

enum { PATIENCE = 100 * 1000 * 1000 }; /* nanoseconds of a wait for a result, which is repeated */

static void stop(void *argument)
{
	process *p = argument;
	if (!p)
		return;
	crux_child_stop(&p->keeper);
	if (p->note != MAP_FAILED)
		munmap(p->note, sizeof *p->note);
	crux_bytes_free(&p->home);
	crux_bytes_free(&p->start);
	crux_bytes_free(&p->message);
	free(p);
}

static void *start(size_t count, const char *home, crux_opener lpeg, crux_bytes *start_values, crux_fault *fault)
{
	process *p = count == 1 ? calloc(1, sizeof *p) : NULL;
	if (!p) {
		crux_bytes_free(start_values);
		crux_fault_set(fault, "out of memory");
		return NULL;
	}
	p->start = *start_values;
	*start_values = (crux_bytes){0};
	p->note = mmap(NULL, sizeof *p->note, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	bool const has_home = crux_bytes_append(&p->home, home, strlen(home) + 1);
	p->keeper = (crux_child){.home = p->home.data, .lpeg = lpeg, .start = &p->start, .keeps = true, .note = p->note};
	if (p->note != MAP_FAILED && has_home && crux_child_start(&p->keeper))
		return p;
	crux_fault_set(fault, "cannot start a process: %s", strerror(errno));
	stop(p);
	return NULL;
}

static bool put(void *argument, crux_bytes *item)
{
	process *p = argument;
	atomic_store(p->note, 0);
	return crux_child_give(&p->keeper, item->data, item->size);
}

static const char *wait_for_result(void *argument, crux_fault *fault)
{
	process *p = argument;
	if (p->keeper.in_flight == 0)
		return crux_job_result(NULL, fault);
	while (!crux_child_take(&p->keeper, &p->message, PATIENCE))
		;
	return crux_child_result(&p->message, fault) ? p->message.data : NULL;
}

static void drop(void *unused) { (void)unused; }

static int descriptor(void *argument)
{
	process const *p = argument;
	return p->keeper.process ? p->keeper.socket : -1;
}

static int note(void *argument)
{
	process const *p = argument;
	return atomic_load(p->note);
}

static void halt(void *argument, int how)
{
	process *p = argument;
	int seen = atomic_load(p->note);
	while (seen != CRUX_NOTE_HALT && !atomic_compare_exchange_weak(p->note, &seen, how))
		;
}

const crux_executor crux_processes = {
	.start = start, .stop = stop, .put = put, .wait = wait_for_result, .drop = drop, .descriptor = descriptor, .note = note,
	.halt = halt,
};
