/* wall.c: in a process of its own, behind the wall, forbidden calls fail, and others work. */
#include "limits/wall.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>
#include <unistd.h>

#include "check.h"

/* Expects a call to fail by the wall. */
#define REFUSED(call) CHECK((errno = 0, (long)(call)) == -1 && (errno == EPERM || errno == ENOSYS))

static void files_cannot_be_written(int readable)
{
	char own[64];
	snprintf(own, sizeof own, "/proc/self/fd/%d", readable);
	REFUSED(open("there", O_WRONLY));
	REFUSED(open("there", O_RDWR));
	REFUSED(open("there", O_RDONLY | O_TRUNC));
	REFUSED(open("there", O_WRONLY | O_APPEND));
	REFUSED(open("there", O_ACCMODE));
	REFUSED(open("new", O_WRONLY | O_CREAT, 0600));
	REFUSED(open("new", O_RDONLY | O_CREAT, 0600));
	REFUSED(open(own, O_RDWR));
	REFUSED(open("/proc/self/mem", O_RDWR));
	REFUSED(open(".", O_TMPFILE | O_RDWR, 0600)); /* a file that could get a name */
	REFUSED(syscall(SYS_openat, AT_FDCWD, "there", O_WRONLY));
	REFUSED(syscall(SYS_openat2, AT_FDCWD, "there", (long[3]){O_WRONLY, 0, 0}, 24));
	REFUSED(creat("new", 0600));
	REFUSED(truncate("there", 0));
	REFUSED(mkdir("folder", 0700));
	REFUSED(mknod("new", S_IFREG | 0600, 0));
	REFUSED(mkfifo("new", 0600));
	REFUSED(link("there", "new"));
	REFUSED(symlink("there", "new"));
	REFUSED(chmod("there", 0777));
	REFUSED(fchmod(readable, 0777));
	REFUSED(chown("there", 0, 0));
	REFUSED(setxattr("there", "user.x", "x", 1, 0));
	REFUSED(mount("none", ".", "tmpfs", 0, NULL));
	REFUSED(syscall(SYS_io_uring_setup, 1, NULL));
	REFUSED(syscall(SYS_open_by_handle_at, AT_FDCWD, NULL, 0));
}

static void nothing_can_be_started(void)
{
	char *const words[] = {(char[]){"true"}, NULL};
	REFUSED(fork());
	REFUSED(syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL));
	REFUSED(syscall(SYS_clone3, NULL, 0));
	REFUSED(execv("/bin/true", words));
	REFUSED(syscall(SYS_execveat, AT_FDCWD, "/bin/true", words, NULL, 0));
	REFUSED(unshare(CLONE_NEWUSER));
}

static void nothing_can_be_reached(void)
{
	char byte = 0;
	struct iovec const here = {&byte, 1};
	REFUSED(socket(AF_INET, SOCK_STREAM, 0));
	REFUSED(socket(AF_UNIX, SOCK_STREAM, 0));
	REFUSED(socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0}));
	REFUSED(connect(0, NULL, 0));
	REFUSED(bind(0, NULL, 0));
	REFUSED(listen(0, 1));
	REFUSED(accept(0, NULL, NULL));
	REFUSED(sendto(0, "", 0, 0, (struct sockaddr *)&(struct sockaddr_storage){0}, sizeof(struct sockaddr_storage)));
	REFUSED(syscall(SYS_sendmsg, 0, NULL, 0));
	REFUSED(kill(getppid(), 0));
	REFUSED(kill(-1, 0));
	REFUSED(syscall(SYS_tgkill, getppid(), getppid(), 0));
	REFUSED(syscall(SYS_tkill, getppid(), 0));
	REFUSED(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL));
	REFUSED(process_vm_readv(getppid(), &here, 1, &here, 1, 0));
	REFUSED(process_vm_writev(getppid(), &here, 1, &here, 1, 0));
	REFUSED(syscall(SYS_pidfd_open, getppid(), 0));
	REFUSED(syscall(SYS_bpf, 0, NULL, 0));
	REFUSED(syscall(SYS_perf_event_open, NULL, 0, 0, 0, 0));
	REFUSED(syscall(SYS_userfaultfd, 0));
	REFUSED(syscall(SYS_keyctl, 0, 0, 0, 0, 0));
	REFUSED(syscall(SYS_init_module, NULL, 0, ""));
	REFUSED(syscall(SYS_kexec_load, 0, 0, NULL, 0));
	REFUSED(prctl(PR_SET_DUMPABLE, 1));
	REFUSED(ioctl(0, TIOCSTI, "x")); /* would type on the terminal */
	REFUSED(syscall(SYS_ioctl, 0, TIOCSTI | 1L << 32, "x"));
	REFUSED(syscall(100000));
}

static volatile sig_atomic_t signals;

static void count_signal(int unused)
{
	(void)unused;
	signals++;
}

static void *in_thread(void *argument)
{
	REFUSED(open("there", O_WRONLY));
	return argument;
}

/* A thread that started before the wall was raised, and waits for that. */
static void *before(void *wall)
{
	pthread_barrier_wait(wall);
	return in_thread(NULL);
}

static void what_is_needed_goes_on(int readable, int writable)
{
	char text[8] = "";
	void *result = NULL;
	pthread_t thread;
	int const again = open("there", O_RDONLY);
	CHECK(again >= 0 && read(again, text, sizeof text) == 3 && strcmp(text, "abc") == 0);
	CHECK(pread(readable, text, 1, 2) == 1 && text[0] == 'c');
	CHECK(write(writable, "done", 4) == 4 && fsync(writable) == 0 && ftruncate(writable, 2) == 0);
	CHECK(rename("temporary", "lasting") == 0);
	CHECK(unlink("there") == 0);
	CHECK(rmdir("empty") == 0);
	CHECK(pthread_create(&thread, NULL, in_thread, text) == 0 && pthread_join(thread, &result) == 0 && result == text);
	signal(SIGURG, count_signal);
	CHECK(raise(SIGURG) == 0 && signals == 1);
	CHECK(pthread_sigqueue(pthread_self(), SIGURG, (union sigval){0}) == 0 && signals == 2);
	CHECK(kill(getpid(), SIGURG) == 0 && signals == 3);
	FILE *const scratch = tmpfile();
	CHECK(scratch && fputs("x", scratch) >= 0 && fclose(scratch) == 0);
	CHECK(dlopen("libClp.so.1", RTLD_NOW) != NULL);
	char *const block = malloc((size_t)1 << 26);
	CHECK(block && mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
	free(block);
	CHECK(nanosleep(&(struct timespec){.tv_nsec = 1}, NULL) == 0);
}

static void behind_the_wall(int readable, int writable)
{
	pthread_t early;
	pthread_barrier_t wall;
	crux_fault fault;
	pthread_barrier_init(&wall, NULL, 2);
	CHECK(pthread_create(&early, NULL, before, &wall) == 0);
	CHECK(crux_wall_raise(&fault));
	CHECK(!crux_wall_raise(&fault));
	pthread_barrier_wait(&wall);
	pthread_join(early, NULL);
	files_cannot_be_written(readable);
	nothing_can_be_started();
	nothing_can_be_reached();
	what_is_needed_goes_on(readable, writable);
}

static bool is_built(void)
{
	pid_t const child = fork();
	if (child == 0) {
		crux_fault fault;
		bool const stands = crux_wall_raise(&fault);
		if (!stands)
			printf("no wall: %s\n", fault.message);
		fflush(stdout);
		_exit(stands);
	}
	int status;
	return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

int main(void)
{
	char folder[] = "/tmp/crux-wall-XXXXXX";
	if (!is_built()) {
		CHECK(!crux_wall_raise(NULL));
		return check_summary();
	}
	if (!mkdtemp(folder) || chdir(folder) != 0)
		return 1;
	FILE *const there = fopen("there", "w");
	if (!there || fputs("abc", there) < 0 || fclose(there) != 0 || mkdir("empty", 0700) != 0)
		return 1;
	int const readable = open("there", O_RDONLY), writable = open("temporary", O_WRONLY | O_CREAT, 0600);
	behind_the_wall(readable, writable);
	CHECK(access("lasting", F_OK) == 0);
	CHECK(access("new", F_OK) != 0);
	unlink("lasting");
	rmdir(folder); /* it is empty, as no file was made */
	CHECK(access(folder, F_OK) != 0);
	return check_summary();
}
