/* Probes of the wall: see probes.h. */
#include "limits/probes.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Closes the descriptor and returns 0; returns errno if it is negative. */
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
	return errno == ENOENT ? 0 : errno; /* the call was allowed, and found no program */
}

static int open_socket(void) { return opened(socket(AF_INET, SOCK_STREAM, 0)); }

static int signal_other(void) { return kill(getppid(), 0) == 0 ? 0 : errno; }

const crux_probe crux_probes[] = {
	{"open a file to write", write_file}, {"make a file", make_file},     {"start a process", start_process},
	{"run a program", run_program},       {"reach the network", open_socket}, {"signal another process", signal_other},
};

const size_t crux_probe_count = sizeof crux_probes / sizeof *crux_probes;
