/* WebAssembly, by emscripten: one thread, no processes, and the libraries that the program was linked with. */
#include "port/port.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

size_t crux_port_processors(void) { return 0; }

bool crux_port_file_of(const void *code, char path[PATH_MAX])
{
	(void)code;
	(void)path;
	return false;
}

bool crux_port_program(char path[PATH_MAX])
{
	(void)path;
	return false;
}

int crux_port_start_program(pid_t *process, char *const *words)
{
	(void)process;
	(void)words;
	return ENOSYS;
}

void crux_port_end_with_parent(void) {}

void crux_port_close_from(int descriptor) { (void)descriptor; }

bool crux_port_wait(int descriptor, long nanoseconds)
{
	(void)descriptor;
	(void)nanoseconds;
	return true;
}

int crux_port_memory_file(void)
{
	errno = ENOSYS;
	return -1;
}

bool crux_port_sync(int file) { return fsync(file) == 0; }

struct timespec crux_port_changed(const struct stat *status) { return status->st_mtim; }

/* There is no other thread that could be told. */
int pthread_kill(pthread_t thread, int signal)
{
	(void)thread;
	(void)signal;
	return ESRCH;
}

void crux_port_keep_memory(void) {}

void crux_port_give_back_memory(void) {}

void crux_port_use_large_pages(void *block, size_t size) { (void)block, (void)size; }

bool crux_port_has_bytecode_files(void) { return true; }

bool crux_port_has_locks(void) { return false; }

#if defined CRUX_CLP

#include <coin/Clp_C_Interface.h>

void _ZSt15set_new_handlerPFvvE(void (*handler)(void));

/* Nothing unwinds the frames of C++ here: who runs the module starts another one. */
static void no_memory(void) { abort(); }

static void (*set_new_handler(void (*handler)(void)))(void)
{
	(void)handler;
	return no_memory;
}

#define ROW(name) {"Clp_" #name, (void *)Clp_##name},
static const struct { const char *name; void *function; } functions[] = {
	ROW(newModel) ROW(deleteModel) ROW(loadProblem) ROW(setLogLevel) ROW(scaling) ROW(setPerturbation) ROW(setPrimalTolerance)
	ROW(setDualTolerance) ROW(setMaximumIterations) ROW(dual) ROW(primal) ROW(status) ROW(hitMaximumIterations)
	ROW(primalColumnSolution) ROW(dualRowSolution) ROW(objectiveValue)
	{"_ZSt15set_new_handlerPFvvE", (void *)set_new_handler}, {"_ZSt17__throw_bad_allocv", (void *)no_memory},
	{"_Unwind_ForcedUnwind", (void *)no_memory}, {"_Unwind_GetCFA", (void *)no_memory},
};

void *crux_port_library(const char *file) { return strcmp(file, "libClp.so.1") == 0 ? (void *)functions : NULL; }

void *crux_port_function(void *library, const char *name)
{
	for (size_t i = 0; library && i < sizeof functions / sizeof *functions; i++)
		if (strcmp(functions[i].name, name) == 0)
			return functions[i].function;
	return NULL;
}

#else

void *crux_port_library(const char *file)
{
	(void)file;
	return NULL;
}

void *crux_port_function(void *library, const char *name)
{
	(void)library;
	(void)name;
	return NULL;
}

#endif
