/* Temporary files beside the file that they become; see temporary_file.h. */
#include "files/temporary_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char mark[] = ".crux-";

/* Locks the open file. Returns false if another process has the lock, or has removed the file: it took it for that of a killed
 * process before it was locked. */
static bool claim(int file)
{
	struct stat status;
	if (flock(file, LOCK_EX | LOCK_NB) != 0)
		return errno != EWOULDBLOCK;
	return fstat(file, &status) != 0 || status.st_nlink > 0;
}

int crux_temporary_file_open(const char *path, char *name, size_t size)
{
	struct stat status;
	bool const exists = stat(path, &status) == 0;
	for (int i = 1; i < 1000; i++) {
		if ((size_t)snprintf(name, size, "%s%s%d-%d", path, mark, (int)getpid(), i) >= size) {
			errno = ENAMETOOLONG;
			return -1;
		}
		int const file = open(name, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (file < 0 && errno != EEXIST)
			return -1;
		if (file >= 0 && claim(file)) {
			if (exists)
				fchmod(file, status.st_mode & 07777);
			return file;
		}
		if (file >= 0)
			close(file);
	}
	errno = EEXIST;
	return -1;
}

/* True for a name that ends as those of temporary files do. */
static bool is_temporary(const char *name)
{
	static const char digits[] = "0123456789";
	char const *end = NULL;
	for (char const *at = name; (at = strstr(at, mark)); at = end)
		end = at + strlen(mark);
	size_t const process = end ? strspn(end, digits) : 0;
	if (process == 0 || end[process] != '-')
		return false;
	size_t const number = strspn(end + process + 1, digits);
	return number > 0 && end[process + 1 + number] == '\0';
}

/* Removes a file of the folder if its lock is free. Nobody else can put another file in its place between the check of the name
 * and the removal: each process locks a file first. */
static void remove_if_left(int folder, const char *name)
{
	struct stat opened, named;
	int const file = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (file < 0)
		return;
	bool const is_left = fstat(file, &opened) == 0 && S_ISREG(opened.st_mode) && opened.st_uid == geteuid() &&
	                     flock(file, LOCK_EX | LOCK_NB) == 0 && fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	                     named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
	if (is_left)
		unlinkat(folder, name, 0);
	close(file);
}

void crux_temporary_files_clean(const char *path)
{
	char const *const slash = strrchr(path, '/');
	char *const parent = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	DIR *const folder = parent ? opendir(parent) : NULL;
	free(parent);
	if (!folder)
		return;
	for (struct dirent const *entry; (entry = readdir(folder));)
		if (is_temporary(entry->d_name))
			remove_if_left(dirfd(folder), entry->d_name);
	closedir(folder);
}
