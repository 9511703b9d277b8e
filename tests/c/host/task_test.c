/* Tasks of crux.h: what they return, what they refuse, and that another thread stops them. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "crux.h"
#include "host/refuses.h"

static const char *const names[] = {"formula", "data", "folds_by"}, *const hole[] = {"formula", NULL};
static const char *const values[] = {"difficulty ~ size", "datasets/flow.csv", "order"};

/* The baseline by hand: |difficulty - mean of the other 32 levels|, five folds in order. */
static void results(crux_engine *engine)
{
	crux_fault fault = {""};
	const char *json = crux_call(engine, "evaluate", names, values, 3, &fault);
	CHECK(json && strstr(json, "\"formula\": \"difficulty ~ size\"") && strstr(json, "\"baseline\": {\"mae\": 1.1468281249999999,"));
	json = crux_tasks(engine, &fault);
	CHECK(json && strstr(json, "\"compare\": {") && strstr(json, "\"folds\": {\"doc\": \"Number of folds\", \"type\": \"integer\", "
	                           "\"takes\": \"an integer of at least 2\", \"unit\": null, \"default\": \"5\""));
}

static void failures(crux_engine *engine)
{
	REFUSES(crux_tasks(NULL, &fault), "crux_tasks: found NULL, expected an engine");
	REFUSES(crux_call(NULL, "fit", names, values, 3, &fault), "crux_call: found NULL, expected an engine");
	REFUSES(crux_call(engine, NULL, names, values, 3, &fault), "crux_call: found NULL, expected a task");
	REFUSES(crux_call(engine, "fit", NULL, values, 3, &fault), "crux_call: found NULL, expected an array of 3 options");
	REFUSES(crux_call(engine, "fit", hole, values, 2, &fault), "crux_call: found NULL, expected the name of option 2");
	REFUSES(crux_call(engine, "fits", NULL, NULL, 0, &fault), "crux: found the unknown task 'fits'; did you mean 'fit'?");
	REFUSES(crux_call(engine, "fit", (const char *const[]){"formul"}, (const char *const[]){"3"}, 1, &fault),
	        "crux.fit: found the unknown option 'formul'; did you mean 'formula'?");
}

typedef struct job {
	crux_engine *engine;
	crux_fault fault;
	const char *json;
	atomic_bool has_ended;
} job;

static void *work(void *argument)
{
	job *const j = argument;
	const char *const long_names[] = {"formula", "data", "repeats"}, *const long_values[] = {values[0], values[1], "10000000"};
	j->json = crux_call(j->engine, "evaluate", long_names, long_values, 3, &j->fault);
	j->has_ended = true;
	return NULL;
}

/* A call that would take hours ends; the next one works. */
static void interrupts(crux_engine *engine)
{
	job j = {.engine = engine};
	pthread_t thread;
	CHECK(pthread_create(&thread, NULL, work, &j) == 0);
	do
		nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
	while (!j.has_ended && (crux_engine_interrupt(engine), true));
	pthread_join(thread, NULL);
	CHECK(!j.json && strcmp(j.fault.message, "crux: interrupted") == 0);
	results(engine);
	crux_engine_interrupt(NULL);
}

/* Whom a call tells how far it is. */
typedef struct watcher {
	int calls;
	long long done, total;
	bool is_levels;
} watcher;

static bool watch(long long done, long long total, const char *noun, void *data)
{
	watcher *const w = data;
	*w = (watcher){w->calls + 1, done, total, strcmp(noun, "levels") == 0};
	return false;
}

/* A call that would take hours stops when its watcher says so: the first time, after at least one of the million levels. */
static void progress(crux_engine *engine)
{
	watcher w = {0};
	const char *const asked[] = {"game", "count"}, *const given[] = {"flow", "1000000"};
	crux_engine_watch(engine, watch, &w);
	REFUSES(crux_call(engine, "generate", asked, given, 2, &fault), "crux: interrupted");
	CHECK(w.calls == 1 && w.done >= 1 && w.done < 1000000 && w.total == 1000000 && w.is_levels);
	crux_engine_watch(engine, NULL, NULL);
	results(engine);
	crux_engine_watch(NULL, watch, &w);
}

/* A task of a user's own, and a script that is none. */
static void own_task(crux_engine *engine)
{
	crux_fault problem = {""};
	const char *const json = crux_call(engine, "examples/targets.lua", (const char *const[]){"data", "targets"},
	                                   (const char *const[]){"datasets/flow.csv", "time"}, 2, &problem);
	CHECK(json && strstr(json, "\"target\": \"time\""));
	REFUSES(crux_call(engine, "examples/my-rule.lua", NULL, NULL, 0, &fault),
	        "examples/my-rule.lua: found a script that returns a rule, expected return crux.task { ... }");
}

int main(void)
{
	crux_fault fault = {""};
	crux_engine *engine = crux_engine_new(NULL, &fault);
	CHECK(engine != NULL);
	results(engine);
	failures(engine);
	interrupts(engine);
	progress(engine);
	own_task(engine);
	crux_engine_free(engine);
	return check_summary();
}
