/* temporaries.c: which files and folders are removed when the program ends, and which stay. */
#include "base/temporaries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static bool exists(const char *path) { return access(path, F_OK) == 0; }

static crux_temporary *make(const char *path)
{
	FILE *const file = fopen(path, "w");
	if (file)
		fclose(file);
	return crux_temporary_new(path);
}

static void test_kept_renamed_removed(void)
{
	crux_temporary *const kept = make("kept"), *const renamed = make("renamed"), *const removed = make("removed");
	CHECK(!crux_temporary_rename(renamed, "absent/after"));
	CHECK(crux_temporary_rename(renamed, "after"));
	crux_temporary_keep(kept);
	crux_temporary_remove(removed);
	crux_temporaries_remove();
	CHECK(exists("kept"));
	CHECK(exists("after"));
	CHECK(!exists("renamed"));
	CHECK(!exists("removed"));
}

/* The next path uses the room of one that was taken off the list. */
static void test_room_is_used_again(void)
{
	char long_name[300];
	memset(long_name, 'x', sizeof long_name);
	long_name[sizeof long_name - 1] = '\0';
	crux_temporary *const first = crux_temporary_new("first");
	crux_temporary_keep(first);
	crux_temporary *const longer = crux_temporary_new(long_name);
	CHECK(longer != first);
	CHECK(crux_temporary_new("second") == first);
	crux_temporary_keep(longer);
	CHECK(crux_temporary_new(long_name) == longer);
}

static void test_all_are_removed_files_before_their_folder(void)
{
	CHECK(mkdir("folder", 0777) == 0);
	CHECK(crux_temporary_new("folder"));
	CHECK(make("folder/1"));
	CHECK(make("folder/2"));
	CHECK(mkdir("full", 0777) == 0);
	CHECK(crux_temporary_new("full"));
	fclose(fopen("full/other", "w"));
	crux_temporaries_remove();
	CHECK(!exists("folder"));
	CHECK(exists("full/other"));
}

/* A folder is removed at the end if a file was left in it when it was to be removed. */
static void test_folder_with_a_lost_file(void)
{
	crux_temporary_keep(make("spare")); /* the folder uses its entry of the list again */
	CHECK(mkdir("lost", 0777) == 0);
	crux_temporary *const folder = crux_temporary_new("lost");
	CHECK(make("lost/file"));
	crux_temporary_remove(folder);
	CHECK(exists("lost/file"));
	crux_temporaries_remove();
	CHECK(!exists("lost"));
}

static void test_a_fork_removes_its_own_alone(void)
{
	CHECK(make("parents"));
	pid_t const child = fork();
	if (child == 0) {
		make("childs");
		crux_temporaries_remove();
		_exit(exists("childs"));
	}
	int status;
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	CHECK(exists("parents"));
	crux_temporaries_remove();
	CHECK(!exists("parents"));
}

int main(void)
{
	char folder[] = "/tmp/crux-temporaries-XXXXXX";
	if (!mkdtemp(folder) || chdir(folder) != 0)
		return 1;
	test_kept_renamed_removed();
	test_room_is_used_again();
	test_all_are_removed_files_before_their_folder();
	test_folder_with_a_lost_file();
	test_a_fork_removes_its_own_alone();
	unlink("spare");
	unlink("kept");
	unlink("after");
	unlink("full/other");
	rmdir("full");
	if (chdir("/") == 0)
		rmdir(folder);
	return check_summary();
}
