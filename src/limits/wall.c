/* The filter of system calls, by libseccomp. */
#include "limits/wall.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/library.h"

#if defined __SANITIZE_ADDRESS__
#define SANITIZED 1 /* the search for leaks starts a process */
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined CRUX_SECCOMP && !defined SANITIZED

#include <netinet/in.h>
#include <sched.h>
#include <seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <termios.h>

/* The functions of libseccomp that are used. */
#define SECCOMP_FUNCTIONS(f) f(init) f(attr_set) f(syscall_resolve_name) f(rule_add_array) f(load) f(release)

/* libseccomp is loaded when it is needed, so that 'crux help' starts faster. */
typedef struct library {
#define SECCOMP_FIELD(name) __typeof__(seccomp_##name) *name;
	SECCOMP_FUNCTIONS(SECCOMP_FIELD)
#undef SECCOMP_FIELD
} library;

static bool load(library *seccomp)
{
#define SECCOMP_ROW(name) {"seccomp_" #name, &seccomp->name},
	crux_library_function const functions[] = {SECCOMP_FUNCTIONS(SECCOMP_ROW)};
#undef SECCOMP_ROW
	return crux_library_load("libseccomp.so.2", functions, sizeof functions / sizeof *functions);
}

/* System calls that are allowed with any arguments. Names that an architecture lacks are skipped. */
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
	/* receiving signals */
	"pause", "rt_sigaction", "rt_sigpending", "rt_sigprocmask", "rt_sigreturn", "rt_sigsuspend", "rt_sigtimedwait",
	"rt_sigtimedwait_time64", "sigaltstack", "signalfd4", "sigreturn",
	/* identity and place of the process */
	"getcwd", "getegid", "getegid32", "geteuid", "geteuid32", "getgid", "getgid32", "getpgrp", "getpid", "getppid",
	"getrandom", "getresuid", "getresgid", "getrlimit", "getrusage", "getsid", "gettid", "getuid", "getuid32", "sysinfo",
	"ugetrlimit", "uname",
	/* finding files and folders */
	"access", "faccessat", "faccessat2", "fstat", "fstat64", "fstatat64", "fstatfs", "getdents", "getdents64", "lstat",
	"lstat64", "newfstatat", "readlink", "readlinkat", "stat", "stat64", "statfs", "statx",
	/* open files */
	"_llseek", "close", "close_range", "dup", "dup2", "dup3", "epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_wait",
	"eventfd2", "fadvise64", "fallocate", "fdatasync", "flock", "fsync", "ftruncate", "ftruncate64", "lseek", "pipe", "pipe2",
	"poll", "ppoll", "ppoll_time64", "pread64", "preadv", "pselect6", "pselect6_time64", "pwrite64", "pwritev", "read",
	"readv", "recvfrom", "select", "write", "writev",
	/* renaming and removing temporary files */
	"rename", "renameat", "renameat2", "rmdir", "unlink", "unlinkat",
};

/* System calls that fail with EPERM, which messages explain better than the ENOSYS of all others. */
static const char *const refused[] = {
	"creat", "execve", "execveat", "fork", "mkdir", "mkdirat", "ptrace", "socket", "socketpair", "vfork",
};

/* A filter that is being made. */
typedef struct filter {
	library seccomp;
	scmp_filter_ctx context;
	int problem; /* a negative error number; 0: none */
} filter;

/* Adds the rule that a system call has this action if the condition on an argument holds; a count of 0 is no condition. */
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

/* Allows opening files to read, and making files that have no name and cannot get one. */
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

/* Allows calls whose first argument is a process for this process alone. */
static void add_own_process(filter *f, const char *name)
{
	scmp_datum_t const process = (scmp_datum_t)getpid();
	add(f, SCMP_ACT_ALLOW, name, 1, SCMP_A0(SCMP_CMP_EQ, process, 0));
	add(f, refuse, name, 1, SCMP_A0(SCMP_CMP_NE, process, 0));
}

/* Adds the system calls whose arguments matter. */
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
	add(f, SCMP_ACT_ALLOW, "prlimit64", 1, SCMP_A0(SCMP_CMP_EQ, 0, 0));
	add(f, SCMP_ACT_ALLOW, "prctl", 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME, 0));
	add(f, SCMP_ACT_ALLOW, "sendto", 1, SCMP_A4(SCMP_CMP_EQ, 0, 0)); /* no address: to the other end of a connected socket */
	add(f, refuse, "sendto", 1, SCMP_A4(SCMP_CMP_NE, 0, 0));
	for (size_t i = 0; i < sizeof terminal / sizeof *terminal; i++)
		add(f, SCMP_ACT_ALLOW, "ioctl", 1, SCMP_A1(SCMP_CMP_EQ, terminal[i], 0));
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		add(f, SCMP_ACT_ALLOW, "fcntl", 1, SCMP_A1(SCMP_CMP_EQ, (scmp_datum_t)settings[i], 0));
		add(f, SCMP_ACT_ALLOW, "fcntl64", 1, SCMP_A1(SCMP_CMP_EQ, (scmp_datum_t)settings[i], 0));
	}
}

/* Allows a server to take connections from that socket, and to answer and close them. */
static void add_serving(filter *f, int listening)
{
	static const char *const serving[] = {"sendmsg", "shutdown"};
	static const char *const accepting[] = {"accept", "accept4"};
	add_list(f, SCMP_ACT_ALLOW, serving, sizeof serving / sizeof *serving);
	for (size_t i = 0; i < sizeof accepting / sizeof *accepting; i++)
		add(f, SCMP_ACT_ALLOW, accepting[i], 1, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)listening, 0));
	add(f, SCMP_ACT_ALLOW, "setsockopt", 1, SCMP_A1(SCMP_CMP_EQ, IPPROTO_TCP, 0));
}

bool crux_wall_raise_serving(int listening, crux_fault *fault)
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
	f.seccomp.attr_set(f.context, SCMP_FLTATR_CTL_OPTIMIZE, 2); /* a search tree, which is also made faster */
	f.seccomp.attr_set(f.context, SCMP_FLTATR_CTL_SSB, 1); /* otherwise older kernels slow the process down */
	add_list(&f, SCMP_ACT_ALLOW, allowed, sizeof allowed / sizeof *allowed);
	add_list(&f, refuse, refused, sizeof refused / sizeof *refused);
	add_conditions(&f);
	if (listening >= 0)
		add_serving(&f, listening);
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

bool crux_wall_raise_serving(int listening, crux_fault *fault)
{
	(void)listening;
	crux_fault_set(fault, "%s", crux_wall_missing);
	return false;
}

#endif

bool crux_wall_raise(crux_fault *fault) { return crux_wall_raise_serving(-1, fault); }
