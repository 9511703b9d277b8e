/* The files and folders that are to be removed should the program end before they are done. */
#include "base/temporaries.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LENGTH = 256 }; /* bytes that there is room for at least, so that the next path finds it, too */

/* Stays in the list for ever, so that a signal handler can follow the links whatever another thread does. */
struct crux_temporary {
	crux_temporary *older;
	crux_temporary *next_spare;
	size_t size;
	pid_t process; /* that made what is there */
	atomic_bool is_there;
	char path[];
};

static _Atomic(crux_temporary *) latest;
static crux_temporary *spares;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the spares, and of adding to the list */

/* A spare one, or one that is new in the list; NULL when memory is short. With the lock held. */
static crux_temporary *find_room(size_t size)
{
	crux_temporary *t = spares;
	if (t && t->size >= size) {
		spares = t->next_spare;
		return t;
	}
	size = size > LENGTH ? size : LENGTH;
	t = malloc(sizeof *t + size);
	if (!t)
		return NULL;
	t->size = size;
	t->older = atomic_load(&latest);
	atomic_init(&t->is_there, false);
	atomic_store(&latest, t);
	return t;
}

crux_temporary *crux_temporary_new(const char *path)
{
	size_t const size = strlen(path) + 1;
	pthread_mutex_lock(&lock);
	crux_temporary *const t = find_room(size);
	if (t) {
		memcpy(t->path, path, size);
		t->process = getpid();
		atomic_store(&t->is_there, true);
	}
	pthread_mutex_unlock(&lock);
	return t;
}

void crux_temporary_keep(crux_temporary *t)
{
	pthread_mutex_lock(&lock);
	atomic_store(&t->is_there, false);
	t->next_spare = spares;
	spares = t;
	pthread_mutex_unlock(&lock);
}

bool crux_temporary_rename(crux_temporary *t, const char *path)
{
	if (rename(t->path, path) != 0)
		return false;
	crux_temporary_keep(t);
	return true;
}

static void remove_path(const char *path)
{
	if (unlink(path) != 0)
		rmdir(path);
}

void crux_temporary_remove(crux_temporary *t)
{
	remove_path(t->path);
	crux_temporary_keep(t);
}

void crux_temporaries_remove(void)
{
	int const error = errno;
	for (crux_temporary *t = atomic_load(&latest); t; t = t->older)
		if (atomic_load(&t->is_there) && t->process == getpid())
			remove_path(t->path);
	errno = error;
}
