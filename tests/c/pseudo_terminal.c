/* Runs a program on a terminal of 80 x 24 and does what standard input says, line by line, for the tests of crux play:
 * pseudo_terminal COMMAND [WORD...].
 *
 *   see TEXT     waits until a row of the screen holds the text (of a VT52: TERM=vt52)
 *   written TEXT waits until the program has written these bytes
 *   type TEXT    presses keys
 *   size C R     changes the size of the window
 *   kill N       sends a signal to the program
 *   hang up      closes the terminal
 *   show         prints the screen
 *   settings     prints whether the terminal's settings are those of the start
 *   end          waits for the end of the program and prints its status
 *
 * What is waited for and does not come within 120 seconds has failed. Where there is no pseudo terminal to be had it says why, and
 * ends with status 77. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 60, COLUMNS = 200, OUTPUT = 1 << 20, PATIENCE = 120 /* s */, MOMENT = 20 /* ms */, MISSING = 77 };

typedef struct session {
	int terminal, program_end; /* descriptors */
	pid_t program;
	struct termios settings;
	char screen[ROWS][COLUMNS + 1];
	int row, column, rows, columns;
	char output[OUTPUT];
	size_t length, drawn; /* bytes of output; how many of them are on the screen */
} session;

static void blank(session *s, int row, int from)
{
	memset(s->screen[row] + from, ' ', (size_t)(COLUMNS - from));
}

static void next_line(session *s)
{
	if (s->row + 1 < s->rows) {
		s->row++;
		return;
	}
	memmove(s->screen[0], s->screen[1], (size_t)(ROWS - 1) * sizeof s->screen[0]);
	blank(s, s->rows - 1, 0);
}

/* Obeys the escape sequence that begins there: how many bytes it has, 0 when more must come. */
static size_t escape(session *s, const char *text, size_t length)
{
	if (length < 2 || (text[1] == 'Y' && length < 4))
		return 0;
	switch (text[1]) {
	case 'A': s->row -= s->row > 0; break;
	case 'B': s->row += s->row + 1 < s->rows; break;
	case 'C': s->column += s->column + 1 < s->columns; break;
	case 'D': s->column -= s->column > 0; break;
	case 'H': s->row = s->column = 0; break;
	case 'J':
		for (int row = s->row + 1; row < ROWS; row++)
			blank(s, row, 0); /* fall through */
	case 'K': blank(s, s->row, s->column); break;
	case 'Y':
		s->row = (text[2] - ' ') % ROWS;
		s->column = (text[3] - ' ') % COLUMNS;
		return 4;
	default: break;
	}
	return 2;
}

static void draw(session *s)
{
	while (s->drawn < s->length) {
		char const *const text = s->output + s->drawn;
		size_t const bytes = *text == '\33' ? escape(s, text, s->length - s->drawn) : 1;
		if (bytes == 0)
			return;
		s->drawn += bytes;
		if (*text == '\n')
			next_line(s);
		else if (*text == '\r')
			s->column = 0;
		else if (*text == '\b')
			s->column -= s->column > 0;
		else if (isprint((unsigned char)*text)) {
			s->screen[s->row][s->column] = *text;
			s->column += s->column + 1 < s->columns;
		}
	}
}

/* Takes what the program writes; false when there is nothing within a moment. */
static bool take(session *s)
{
	struct pollfd ready = { s->terminal, POLLIN, 0 };
	if (poll(&ready, 1, MOMENT) <= 0)
		return false;
	ssize_t const got = read(s->terminal, s->output + s->length, OUTPUT - s->length);
	if (got > 0)
		s->length += (size_t)got;
	draw(s);
	return got > 0;
}

static void show(session *s)
{
	int last = s->rows;
	while (take(s))
		continue;
	while (last > 0 && strspn(s->screen[last - 1], " ") >= (size_t)s->columns)
		last--;
	for (int row = 0; row < last; row++) {
		int width = s->columns;
		while (width > 0 && s->screen[row][width - 1] == ' ')
			width--;
		printf("%.*s\n", width, s->screen[row]);
	}
}

static bool is_on_screen(session *s, const char *text)
{
	for (int row = 0; row < s->rows; row++)
		if (strstr(s->screen[row], text))
			return true;
	return false;
}

static bool is_written(session *s, const char *text)
{
	return memmem(s->output, s->length, text, strlen(text)) != NULL;
}

static bool has_ended(session *s, const char *unused)
{
	(void)unused;
	int status;
	if (s->program == 0 || waitpid(s->program, &status, WNOHANG) != s->program)
		return false;
	s->program = 0;
	printf("%s %d\n", WIFEXITED(status) ? "exit" : "signal", WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
	return true;
}

static void wait_until(session *s, bool (*holds)(session *, const char *), const char *text, const char *line)
{
	time_t const latest = time(NULL) + PATIENCE;
	while (!holds(s, text)) {
		if (time(NULL) > latest) {
			printf("in vain: %s\n", line);
			show(s);
			exit(1);
		}
		take(s);
	}
}

static bool same_settings(session const *s)
{
	struct termios now;
	return tcgetattr(s->program_end, &now) == 0 && now.c_iflag == s->settings.c_iflag && now.c_oflag == s->settings.c_oflag
		&& now.c_cflag == s->settings.c_cflag && now.c_lflag == s->settings.c_lflag
		&& memcmp(now.c_cc, s->settings.c_cc, sizeof now.c_cc) == 0;
}

static bool set_size(session *s, int columns, int rows)
{
	struct winsize const size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns };
	s->rows = rows;
	s->columns = columns;
	return rows > 0 && rows <= ROWS && columns > 0 && columns <= COLUMNS && ioctl(s->terminal, TIOCSWINSZ, &size) == 0;
}

/* Does what one line says; false when that is not possible. */
static bool obey(session *s, const char *line)
{
	int a, b;
	if (strncmp(line, "see ", 4) == 0)
		wait_until(s, is_on_screen, line + 4, line);
	else if (strncmp(line, "written ", 8) == 0)
		wait_until(s, is_written, line + 8, line);
	else if (strcmp(line, "end") == 0)
		wait_until(s, has_ended, NULL, line);
	else if (strncmp(line, "type ", 5) == 0)
		return write(s->terminal, line + 5, strlen(line + 5)) > 0;
	else if (sscanf(line, "size %d %d", &a, &b) == 2)
		return set_size(s, a, b);
	else if (sscanf(line, "kill %d", &a) == 1)
		return kill(s->program, a) == 0;
	else if (strcmp(line, "hang up") == 0)
		return close(s->terminal) == 0;
	else if (strcmp(line, "show") == 0)
		show(s);
	else if (strcmp(line, "settings") == 0)
		puts(same_settings(s) ? "same settings" : "other settings");
	else
		return false;
	return true;
}

static bool open_terminal(session *s)
{
	s->terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (s->terminal < 0 || grantpt(s->terminal) != 0 || unlockpt(s->terminal) != 0)
		return false;
	s->program_end = open(ptsname(s->terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
	return s->program_end >= 0 && tcgetattr(s->program_end, &s->settings) == 0 && set_size(s, 80, 24);
}

/* Starts the program, which has the terminal for its own. */
static bool start(session *s, char **words)
{
	s->program = fork();
	if (s->program == 0) {
		setsid();
		ioctl(s->program_end, TIOCSCTTY, 0);
		for (int descriptor = 0; descriptor < 3; descriptor++)
			dup2(s->program_end, descriptor);
		for (int number = 1; number < NSIG; number++)
			signal(number, SIG_DFL); /* whoever runs the tests may have signals ignored */
		execvp(*words, words);
		_exit(127);
	}
	return s->program > 0;
}

int main(int argc, char **argv)
{
	static session s;
	char line[1000];
	for (int row = 0; row < ROWS; row++)
		blank(&s, row, 0);
	if (!open_terminal(&s)) {
		char const *const error = strerror(errno);
		printf("no pseudo terminal (%s)\n", access("/dev/pts/ptmx", F_OK) == 0 ? error : "/dev/pts is missing");
		return MISSING;
	}
	if (argc < 2 || !start(&s, argv + 1)) {
		puts("cannot be started");
		return 1;
	}
	bool possible = true;
	while (possible && fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = '\0';
		possible = obey(&s, line);
	}
	if (!possible)
		printf("not possible: %s\n", line);
	if (s.program > 0)
		kill(s.program, SIGKILL);
	return possible ? 0 : 1;
}
