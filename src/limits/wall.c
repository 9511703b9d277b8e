/* The second wall behind the sandbox of scripts: a filter of system calls, by libseccomp. */
#include "limits/wall.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fault.h"

#if defined __SANITIZE_ADDRESS__
#define SANITIZED 1 /* the search for leaks starts a process */
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined CRUX_SECCOMP && !defined SANITIZED

#include <dlfcn.h>
#include <sched.h>
#include <seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <termios.h>

/* The functions of libseccomp that are used. */
#define SECCOMP_FUNCTIONS(f) f(init) f(attr_set) f(syscall_resolve_name) f(rule_add_array) f(load) f(release)

/* libseccomp is loaded when it is needed: 'crux help' does without. */
typedef struct library {
#define SECCOMP_FIELD(name) __typeof__(seccomp_##name) *name;
	SECCOMP_FUNCTIONS(SECCOMP_FIELD)
#undef SECCOMP_FIELD
} library;

/* Finds a function of the library; false when it has none of that name. */
static bool find(void *handle, const char *name, void *function)
{
	void *const found = dlsym(handle, name);
	memcpy(function, &found, sizeof found);
	return found != NULL;
}

static bool load(library *seccomp)
{
	void *const handle = dlopen("libseccomp.so.2", RTLD_LAZY | RTLD_NODELETE);
	bool found = handle != NULL;
#define SECCOMP_FIND(name) found = found && find(handle, "seccomp_" #name, &seccomp->name);
	SECCOMP_FUNCTIONS(SECCOMP_FIND)
#undef SECCOMP_FIND
	if (handle)
		dlclose(handle);
	return found;
}

/* Allowed whatever their arguments. Names that an architecture does not have are passed over. */
static const char *const allowed[] = {
	/* memory */
	"brk", "madvise", "membarrier", "memfd_create", "mlock", "mmap", "mmap2", "mprotect", "mremap", "munlock", "munmap",
	/* threads */
	"arch_prctl", "exit", "exit_group", "futex", "futex_time64", "get_robust_list", "get_thread_area", "getcpu",
	"restart_syscall", "rseq", "sched_getaffinity", "sched_getparam", "sched_getscheduler", "sched_yield", "set_robust_list",
	"set_thread_area", "set_tid_address", "wait4", "waitid",
	/* time */
	"alarm", "clock_getres", "clock_getres_time64", "clock_gettime", "clock_gettime64", "clock_nanosleep",
	"clock_nanosleep_time64", "getitimer", "gettimeofday", "nanosleep", "setitimer", "time", "timer_create", "timer_delete",
	"timer_getoverrun", "timer_gettime", "timer_gettime64", "timer_settime", "timer_settime64", "timerfd_create",
	"timerfd_settime", "timerfd_settime64", "times",
	/* signals that come */
	"pause", "rt_sigaction", "rt_sigpending", "rt_sigprocmask", "rt_sigreturn", "rt_sigsuspend", "rt_sigtimedwait",
	"rt_sigtimedwait_time64", "sigaltstack", "signalfd4", "sigreturn",
	/* who and where this is */
	"getcwd", "getegid", "getegid32", "geteuid", "geteuid32", "getgid", "getgid32", "getpgrp", "getpid", "getppid",
	"getrandom", "getresuid", "getresgid", "getrlimit", "getrusage", "getsid", "gettid", "getuid", "getuid32", "sysinfo",
	"ugetrlimit", "uname",
	/* looking for files and folders */
	"access", "faccessat", "faccessat2", "fstat", "fstat64", "fstatat64", "fstatfs", "getdents", "getdents64", "lstat",
	"lstat64", "newfstatat", "readlink", "readlinkat", "stat", "stat64", "statfs", "statx",
	/* what is open */
	"_llseek", "close", "close_range", "dup", "dup2", "dup3", "epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_wait",
	"eventfd2", "fadvise64", "fallocate", "fdatasync", "flock", "fsync", "ftruncate", "ftruncate64", "lseek", "pipe", "pipe2",
	"poll", "ppoll", "ppoll_time64", "pread64", "preadv", "pselect6", "pselect6_time64", "pwrite64", "pwritev", "read",
	"readv", "recvfrom", "select", "write", "writev",
	/* temporary files, that get their name or go */
	"rename", "renameat", "renameat2", "rmdir", "unlink", "unlinkat",
};

/* Refused with EPERM, which messages explain better than ENOSYS; that is what all others get. */
static const char *const refused[] = {
	"creat", "execve", "execveat", "fork", "mkdir", "mkdirat", "ptrace", "socket", "socketpair", "vfork",
};

/* The filter while it is made. */
typedef struct filter {
	library seccomp;
	scmp_filter_ctx context;
	int problem; /* a negative error, 0 as long as all is well */
} filter;

/* Adds a rule for a system call: what to do if a condition (or none, for a count of 0) on an argument holds. */
static void add(filter *f, uint32_t action, const char *name, unsigned count, struct scmp_arg_cmp condition)
{
	int const call = f->seccomp.syscall_resolve_name(name);
	if (f->problem == 0 && call != __NR_SCMP_ERROR)
		f->problem = f->seccomp.rule_add_array(f->context, action, call, count, &condition);
}

static void add_list(filter *f, uint32_t action, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add(f, action, names[i], 0, (struct scmp_arg_cmp){0});
}

static uint32_t const refuse = SCMP_ACT_ERRNO(EPERM);

/* Opening to read; and making a file that has no name and cannot get one. */
static void add_opening(filter *f, const char *name, unsigned flags)
{
	enum { WRITING = O_ACCMODE | O_CREAT | O_TRUNC, NAMELESS = O_TMPFILE & ~O_DIRECTORY };
	add(f, SCMP_ACT_ALLOW, name, 1, SCMP_CMP(flags, SCMP_CMP_MASKED_EQ, WRITING, O_RDONLY));
	add(f, SCMP_ACT_ALLOW, name, 1, SCMP_CMP(flags, SCMP_CMP_MASKED_EQ, O_TMPFILE | O_EXCL | O_CREAT, O_TMPFILE | O_EXCL));
	add(f, refuse, name, 1, SCMP_CMP(flags, SCMP_CMP_MASKED_EQ, NAMELESS | O_ACCMODE, O_WRONLY));
	add(f, refuse, name, 1, SCMP_CMP(flags, SCMP_CMP_MASKED_EQ, NAMELESS | O_ACCMODE, O_RDWR));
	add(f, refuse, name, 1, SCMP_CMP(flags, SCMP_CMP_MASKED_EQ, NAMELESS | O_ACCMODE | O_CREAT, O_CREAT));
	add(f, refuse, name, 1, SCMP_CMP(flags, SCMP_CMP_MASKED_EQ, NAMELESS | O_ACCMODE | O_CREAT | O_TRUNC, O_TRUNC));
}

/* Calls that take the process that they are about first: this one alone. */
static void add_own_process(filter *f, const char *name)
{
	scmp_datum_t const self = (scmp_datum_t)getpid();
	add(f, SCMP_ACT_ALLOW, name, 1, SCMP_A0(SCMP_CMP_EQ, self));
	add(f, refuse, name, 1, SCMP_A0(SCMP_CMP_NE, self));
}

/* Those whose arguments count. */
static void add_conditions(filter *f)
{
	static const unsigned long terminal[] = {TCGETS, TCSETS, TCSETSW, TCSETSF, TCFLSH, TIOCGWINSZ, TIOCGPGRP, FIONREAD, FIONBIO,
	                                         FIOCLEX};
	static const int settings[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW};
	add_opening(f, "open", 1);
	add_opening(f, "openat", 2);
	add(f, SCMP_ACT_ALLOW, "clone", 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
	add(f, refuse, "clone", 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
	add_own_process(f, "kill");
	add_own_process(f, "tgkill");
	add_own_process(f, "rt_sigqueueinfo");
	add_own_process(f, "rt_tgsigqueueinfo");
	add(f, SCMP_ACT_ALLOW, "prlimit64", 1, SCMP_A0(SCMP_CMP_EQ, 0));
	add(f, SCMP_ACT_ALLOW, "prctl", 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME));
	add(f, SCMP_ACT_ALLOW, "sendto", 1, SCMP_A4(SCMP_CMP_EQ, 0)); /* no address: where a socket is connected to */
	add(f, refuse, "sendto", 1, SCMP_A4(SCMP_CMP_NE, 0));
	for (size_t i = 0; i < sizeof terminal / sizeof *terminal; i++)
		add(f, SCMP_ACT_ALLOW, "ioctl", 1, SCMP_A1(SCMP_CMP_EQ, terminal[i]));
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		add(f, SCMP_ACT_ALLOW, "fcntl", 1, SCMP_A1(SCMP_CMP_EQ, (scmp_datum_t)settings[i]));
		add(f, SCMP_ACT_ALLOW, "fcntl64", 1, SCMP_A1(SCMP_CMP_EQ, (scmp_datum_t)settings[i]));
	}
}

bool crux_wall_raise(crux_fault *fault)
{
	filter f = {.problem = 0};
	if (!load(&f.seccomp)) {
		crux_fault_set(fault, "found no libseccomp.so.2");
		return false;
	}
	f.context = f.seccomp.init(SCMP_ACT_ERRNO(ENOSYS));
	if (!f.context) {
		crux_fault_set(fault, "out of memory");
		return false;
	}
	f.seccomp.attr_set(f.context, SCMP_FLTATR_CTL_TSYNC, 1);
	f.seccomp.attr_set(f.context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS));
	f.seccomp.attr_set(f.context, SCMP_FLTATR_CTL_OPTIMIZE, 2); /* a tree, which is made in less time, too */
	f.seccomp.attr_set(f.context, SCMP_FLTATR_CTL_SSB, 1); /* else older kernels slow the process down */
	add_list(&f, SCMP_ACT_ALLOW, allowed, sizeof allowed / sizeof *allowed);
	add_list(&f, refuse, refused, sizeof refused / sizeof *refused);
	add_conditions(&f);
	if (f.problem == 0)
		f.problem = f.seccomp.load(f.context);
	f.seccomp.release(f.context);
	if (f.problem != 0)
		crux_fault_set(fault, "the kernel takes no filter of system calls: %s", strerror(-f.problem));
	return f.problem == 0;
}

const char *const crux_wall_missing = NULL;

#else

#if defined SANITIZED
const char *const crux_wall_missing = "built with the address sanitizer";
#else
const char *const crux_wall_missing = "built without libseccomp";
#endif

bool crux_wall_raise(crux_fault *fault)
{
	crux_fault_set(fault, "%s", crux_wall_missing);
	return false;
}

#endif

/* 0 for a descriptor, which is closed, or the error. */
static int opened(int descriptor)
{
	if (descriptor < 0)
		return errno;
	close(descriptor);
	return 0;
}

static int write_file(void) { return opened(open("/dev/null", O_WRONLY | O_CLOEXEC)); }

static int make_file(void)
{
	static const char name[] = "crux-check-sandbox";
	int const error = opened(open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
	if (error == 0)
		unlink(name);
	return error;
}

static int start_process(void)
{
	pid_t const child = fork();
	if (child < 0)
		return errno;
	if (child == 0)
		_exit(0);
	waitpid(child, NULL, 0);
	return 0;
}

static int run_program(void)
{
	execl("", "", (char *)NULL);
	return errno == ENOENT ? 0 : errno; /* it was looked for */
}

static int open_socket(void) { return opened(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)); }

static int signal_other(void) { return kill(getppid(), 0) == 0 ? 0 : errno; }

const crux_wall_attempt crux_wall_attempts[] = {
	{"open a file to write", write_file}, {"make a file", make_file},     {"start a process", start_process},
	{"run a program", run_program},       {"reach the network", open_socket}, {"signal another process", signal_other},
};

const size_t crux_wall_attempt_count = sizeof crux_wall_attempts / sizeof *crux_wall_attempts;
