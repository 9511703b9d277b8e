/* The list of files and folders to remove if the program ends before they are complete. */
#include "base/temporaries.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LENGTH = 256 }; /* least bytes of room for a path, so that later paths fit, too */

/* Never leaves the list, so that a signal handler can follow the links while another thread changes it. */
struct crux_temporary {
	crux_temporary *older;
	crux_temporary *next_spare;
	size_t size;
	pid_t process; /* that made the file or folder */
	atomic_bool exists;
	char path[];
};

static _Atomic(crux_temporary *) latest;
static crux_temporary *spares;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the spares, and additions to the list */

/* Returns a spare entry, or a new one; NULL if memory is short. The caller holds the lock. */
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
	atomic_init(&t->exists, false);
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
		atomic_store(&t->exists, true);
	}
	pthread_mutex_unlock(&lock);
	return t;
}

void crux_temporary_keep(crux_temporary *t)
{
	pthread_mutex_lock(&lock);
	atomic_store(&t->exists, false);
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

/* Returns false for a folder that is not empty. */
static bool remove_path(const char *path)
{
	return unlink(path) == 0 || rmdir(path) == 0 || (errno != ENOTEMPTY && errno != EEXIST);
}

void crux_temporary_remove(crux_temporary *t)
{
	if (remove_path(t->path))
		crux_temporary_keep(t);
}

void crux_temporaries_remove(void)
{
	int const error = errno;
	for (int round = 0; round < 2; round++) /* files, then folders */
		for (crux_temporary *t = atomic_load(&latest); t; t = t->older)
			if (atomic_load(&t->exists) && t->process == getpid())
				remove_path(t->path);
	errno = error;
}
