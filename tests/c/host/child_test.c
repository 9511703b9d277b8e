/* child.c: results and faults of a worker in a process of its own, and its death. */
#include "host/child.h"

#include <lauxlib.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "lua/value.h"

static char mark[256]; /* a file that a worker removes before it loops for ever */

/* Start values of a worker of tests/support/jobs_worker.lua. */
static crux_bytes start_values(lua_State *L, const char *module, const char *setup)
{
	crux_bytes bytes = {0};
	const char *const values[] = {"tests/support/?.lua;lua/?.lua", module, setup};
	for (int i = 0; i < 3; i++) {
		lua_pushstring(L, values[i]);
		CHECK(crux_value_write(L, -1, "start", &bytes, NULL));
		lua_pop(L, 1);
	}
	return bytes;
}

static void give(lua_State *L, crux_child *child, const char *text)
{
	crux_bytes item = {0};
	lua_pushstring(L, text);
	CHECK(crux_value_write(L, -1, "item", &item, NULL));
	lua_pop(L, 1);
	CHECK(crux_child_give(child, item.data, item.size));
	crux_bytes_free(&item);
}

/* Waits for a result of the child; returns true if it is the text. */
static bool says(lua_State *L, crux_child *child, const char *text)
{
	crux_bytes message = {0};
	crux_fault fault = {""};
	while (!crux_child_take(child, &message, 1000 * 1000))
		;
	bool const done = crux_child_result(&message, &fault);
	if (done)
		crux_value_push(L, message.data);
	else
		lua_pushstring(L, fault.message);
	bool const same = strncmp(lua_tostring(L, -1), text, strlen(text)) == 0;
	if (!same)
		puts(lua_tostring(L, -1));
	lua_pop(L, 1);
	crux_bytes_free(&message);
	return same;
}

static void results(lua_State *L)
{
	crux_bytes start = start_values(L, "jobs_worker", "echo");
	crux_child child = {.start = &start};
	char *const long_text = calloc(1, 1 << 20);
	CHECK(long_text);
	if (long_text)
		memset(long_text, 'x', (1 << 20) - 1);
	give(L, &child, "one");
	CHECK(says(L, &child, "one"));
	give(L, &child, long_text);
	CHECK(says(L, &child, long_text));
	give(L, &child, "first");
	give(L, &child, "second"); /* before the first item is done */
	CHECK(child.in_flight == 2 && !crux_child_give(&child, long_text, 1 << 20));
	CHECK(says(L, &child, "first") && says(L, &child, "second") && child.in_flight == 0);
	free(long_text);
	kill(child.process, SIGKILL); /* without items in flight, so no item fails */
	CHECK(waitid(P_PID, (id_t)child.process, &(siginfo_t){0}, WEXITED | WNOWAIT) == 0); /* until it is dead */
	give(L, &child, "two");
	CHECK(says(L, &child, "two"));
	crux_child_stop(&child);
	crux_child_stop(&child); /* the second time does nothing */
	give(L, &child, "three");
	CHECK(says(L, &child, "three"));
	crux_child_stop(&child);
	crux_bytes_free(&start);
}

static void failures(lua_State *L)
{
	crux_bytes start = start_values(L, "no_such_module", "echo");
	crux_child child = {.start = &start};
	for (int i = 0; i < 2; i++) {
		give(L, &child, "one");
		CHECK(says(L, &child, "module 'no_such_module' not found:"));
	}
	crux_child_stop(&child);
	child.home = "/no/such/home";
	give(L, &child, "one");
	CHECK(says(L, &child, "/no/such/home: "));
	crux_child_stop(&child);
	crux_bytes_free(&start);
}

static void make_mark(void)
{
	FILE *const file = fopen(mark, "w");
	CHECK(file && fclose(file) == 0);
}

static void death(lua_State *L)
{
	crux_bytes start = start_values(L, "jobs_worker", "spin"), message = {0};
	crux_child child = {.start = &start};
	for (int i = 0; i < 2; i++) {
		make_mark();
		give(L, &child, mark);
		give(L, &child, "lost"); /* an item to give again */
		CHECK(!crux_child_take(&child, &message, 1000));
		while (access(mark, F_OK) == 0)
			usleep(100);
		kill(child.process, i == 0 ? SIGTERM : SIGKILL);
		CHECK(says(L, &child, i == 0 ? "its worker was killed by signal 15 (Terminated)"
		                             : "its worker was killed by signal 9 (Killed)"));
		CHECK(child.in_flight == 0);
		give(L, &child, "");
		CHECK(says(L, &child, "") && child.in_flight == 0);
	}
	make_mark();
	give(L, &child, mark);
	crux_child_stop(&child); /* in the middle of an item */
	remove(mark);
	crux_bytes_free(&start);
	crux_bytes_free(&message);
}

int main(void)
{
	const char *const folder = getenv("CRUX_TEST_FOLDER");
	snprintf(mark, sizeof mark, "%s/child_test_mark", folder ? folder : "/tmp");
	alarm(60);
	lua_State *L = luaL_newstate();
	results(L);
	failures(L);
	death(L);
	lua_close(L);
	return check_summary();
}
