/* libcrux.terminal: the screen and the keys of a terminal, which is left as it was found however the program ends.
 *
 * While a terminal is open the signals that end or stop the program are blocked; a thread waits for them, restores the
 * terminal and lets them act. Nothing is done in signal handlers, and a long calculation can be interrupted at once. */
#include <langinfo.h>
#include <lauxlib.h>
#include <locale.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "limits/watchdog.h" /* before curses, which makes macros of common words */

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>

#include "lua/modules.h"
#include "lua/binding.h"

#define TERMINAL_TYPE "crux.terminal"

/* Those that ncurses takes for itself and that are given back. */
static const int taken[] = { SIGINT, SIGTERM, SIGTSTP, SIGWINCH };
static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP };

enum { COUNT_TAKEN = sizeof taken / sizeof *taken, COUNT_ENDING = sizeof ending / sizeof *ending };

typedef struct terminal {
	crux_tidying tidying;
	SCREEN *screen;       /* NULL when closed */
	pthread_mutex_t lock; /* held while curses is at work */
	pthread_t watcher;
	bool watched;         /* there is a watcher */
	bool closing;         /* it is to end */
	int changed;          /* eventfd: the screen has to be drawn anew; -1 when closed */
	char *farewell;       /* what is said before a signal ends the program; or NULL */
	sigset_t signals, former_signals;
	struct sigaction former[COUNT_ENDING];
	locale_t locale, former_locale;
} terminal;

/* Says on standard error that the program ends; if nobody hears it, nothing can be done. */
static void say_farewell(terminal const *t)
{
	if (t->farewell && write(STDERR_FILENO, t->farewell, strlen(t->farewell)) < 0)
		return;
}

/* Does to this program what a signal does by default; returns if that is to stop it, once it goes on. */
static void suffer(int signal)
{
	sigset_t only;
	sigemptyset(&only);
	sigaddset(&only, signal);
	raise(signal);
	pthread_sigmask(SIG_UNBLOCK, &only, NULL);
	pthread_sigmask(SIG_BLOCK, &only, NULL);
}

static void *watch(void *argument)
{
	terminal *const t = argument;
	uint64_t const one = 1;
	int signal;
	while (sigwait(&t->signals, &signal) == 0) {
		pthread_mutex_lock(&t->lock);
		bool const closing = t->closing;
		if (closing && signal != SIGWINCH)
			kill(getpid(), signal); /* it acts when the terminal is closed */
		if (!closing && signal != SIGWINCH) {
			endwin();
			if (signal != SIGTSTP)
				say_farewell(t);
			suffer(signal);
		}
		pthread_mutex_unlock(&t->lock);
		if (closing || write(t->changed, &one, sizeof one) < 0)
			return NULL;
	}
	return NULL;
}

/* Leaves the screen of a process that is ended while a script runs, which uses no screen. */
static void leave_screen(crux_tidying *t)
{
	if (((terminal *)t)->screen)
		endwin();
}

/* Undoes what start did, as far as it came. */
static void finish(terminal *t)
{
	crux_watchdog_remove(&t->tidying);
	if (t->watched) {
		pthread_mutex_lock(&t->lock);
		t->closing = true;
		pthread_mutex_unlock(&t->lock);
		pthread_kill(t->watcher, SIGWINCH);
		pthread_join(t->watcher, NULL);
	}
	if (t->screen) {
		endwin();
		delscreen(t->screen);
	}
	if (t->changed >= 0)
		close(t->changed);
	free(t->farewell);
	pthread_mutex_destroy(&t->lock);
	uselocale(t->former_locale);
	if (t->locale)
		freelocale(t->locale);
	pthread_sigmask(SIG_SETMASK, &t->former_signals, NULL);
	for (int i = 0; i < COUNT_ENDING; i++)
		sigaction(ending[i], &t->former[i], NULL);
	t->screen = NULL;
}

/* Makes the screen; what ncurses does about signals is undone. */
static SCREEN *new_screen(void)
{
	struct sigaction former[COUNT_TAKEN];
	for (int i = 0; i < COUNT_TAKEN; i++)
		sigaction(taken[i], NULL, &former[i]);
	SCREEN *const screen = newterm(NULL, stdout, stdin);
	for (int i = 0; i < COUNT_TAKEN; i++)
		sigaction(taken[i], &former[i], NULL);
	return screen;
}

static void prepare_screen(void)
{
	cbreak();
	noqiflush(); /* else Ctrl-C would take away a key that wgetch has seen, and leave it waiting with the lock held */
	noecho();
	keypad(stdscr, true);
	nodelay(stdscr, true);
	set_escdelay(25); /* ms: how soon after ESC the rest of a key must come */
	if (!has_colors())
		return;
	start_color();
	use_default_colors();
	for (short colour = 0; colour < 8; colour++)
		init_pair((short)(colour + 1), colour, -1);
}

/* Blocks the signals for the watcher, but not those that the program ignores; they act as by default. */
static void block_signals(terminal *t)
{
	sigemptyset(&t->signals);
	sigaddset(&t->signals, SIGWINCH);
	for (int i = 0; i < COUNT_ENDING; i++) {
		sigaction(ending[i], NULL, &t->former[i]);
		if (t->former[i].sa_handler == SIG_IGN)
			continue;
		sigaddset(&t->signals, ending[i]);
		sigaction(ending[i], &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
	}
	pthread_sigmask(SIG_BLOCK, &t->signals, &t->former_signals);
}

/* NULL, or what is wrong. */
static const char *start(terminal *t)
{
	pthread_mutex_init(&t->lock, NULL);
	block_signals(t);
	t->locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	t->former_locale = uselocale(t->locale);
	t->changed = eventfd(0, EFD_CLOEXEC);
	t->screen = new_screen();
	if (!t->screen || !cursor_address)
		return "a terminal whose cursor can be moved";
	prepare_screen();
	t->watched = t->changed >= 0 && pthread_create(&t->watcher, NULL, watch, t) == 0;
	return t->watched ? NULL : "resources for another thread";
}

/* open() -> terminal; or nil and what was expected */
static int terminal_open(lua_State *L)
{
	terminal *t = lua_newuserdatauv(L, sizeof *t, 0);
	*t = (terminal){ .tidying.tidy = leave_screen, .changed = -1 };
	luaL_setmetatable(L, TERMINAL_TYPE);
	const char *const expected = start(t);
	if (!expected) {
		crux_watchdog_add(&t->tidying);
		return 1;
	}
	finish(t);
	return crux_fail(L, expected);
}

static int terminal_close(lua_State *L)
{
	terminal *t = luaL_checkudata(L, 1, TERMINAL_TYPE);
	if (t->screen)
		finish(t);
	return 0;
}

static terminal *check(lua_State *L)
{
	terminal *t = luaL_checkudata(L, 1, TERMINAL_TYPE);
	luaL_argcheck(L, t->screen, 1, "closed terminal");
	return t;
}

/* t:size() -> columns, rows */
static int terminal_size(lua_State *L)
{
	check(L);
	lua_pushinteger(L, getmaxx(stdscr));
	lua_pushinteger(L, getmaxy(stdscr));
	return 2;
}

/* t:has_colours() -> boolean */
static int terminal_has_colours(lua_State *L)
{
	check(L);
	lua_pushboolean(L, has_colors());
	return 1;
}

/* t:is_utf8() -> whether it shows more than ASCII, as far as the environment tells */
static int terminal_is_utf8(lua_State *L)
{
	check(L);
	lua_pushboolean(L, strcmp(nl_langinfo(CODESET), "UTF-8") == 0);
	return 1;
}

/* t:clear(): nothing shows yet, as with t:put */
static int terminal_clear(lua_State *L)
{
	terminal *t = check(L);
	pthread_mutex_lock(&t->lock);
	erase();
	pthread_mutex_unlock(&t->lock);
	return 0;
}

/* The colours follow each other as those of curses do. */
static const char *const styles[] = {
	"plain", "bold", "reverse",
	"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
	"bright black", "bright red", "bright green", "bright yellow", "bright blue", "bright magenta", "bright cyan",
	"bright white", NULL,
};

static attr_t attributes_of(int style, short *pair)
{
	*pair = 0;
	if (style < 3)
		return style == 0 ? A_NORMAL : style == 1 ? A_BOLD : A_REVERSE;
	if (has_colors())
		*pair = (short)((style - 3) % 8 + 1);
	return style < 11 ? A_NORMAL : A_BOLD;
}

/* The next character of *text, '?' for what the terminal does not show; *text moves on. */
static wchar_t next_character(const char **text, const char *end)
{
	mbstate_t state = { 0 };
	wchar_t character = L'?';
	size_t const bytes = mbrtowc(&character, *text, (size_t)(end - *text), &state);
	bool const known = bytes > 0 && bytes <= (size_t)(end - *text);
	*text += known ? bytes : 1;
	return known && wcwidth(character) > 0 ? character : L'?';
}

/* t:put(row, column, text, style): text, from 1, 1 on; what is beyond the edges is cut off */
static int terminal_put(lua_State *L)
{
	terminal *t = check(L);
	lua_Integer const row = luaL_checkinteger(L, 2);
	lua_Integer column = luaL_checkinteger(L, 3);
	size_t length;
	const char *text = luaL_checklstring(L, 4, &length);
	const char *const end = text + length;
	short pair;
	attr_t const attributes = attributes_of(luaL_checkoption(L, 5, "plain", styles), &pair);
	if (row < 1 || row > getmaxy(stdscr) || column < 1)
		return 0;
	pthread_mutex_lock(&t->lock);
	while (text < end) {
		wchar_t const character[] = { next_character(&text, end), L'\0' };
		int const width = wcwidth(*character);
		if (column + width - 1 > getmaxx(stdscr))
			break;
		cchar_t cell;
		setcchar(&cell, character, attributes, pair, NULL);
		mvadd_wch((int)row - 1, (int)column - 1, &cell);
		column += width;
	}
	pthread_mutex_unlock(&t->lock);
	return 0;
}

/* t:show(row, column): makes what was put appear, with the cursor there, or hidden without a place */
static int terminal_show(lua_State *L)
{
	terminal *t = check(L);
	lua_Integer const row = luaL_optinteger(L, 2, 0), column = luaL_optinteger(L, 3, 0);
	bool const inside = row >= 1 && row <= getmaxy(stdscr) && column >= 1 && column <= getmaxx(stdscr);
	pthread_mutex_lock(&t->lock);
	curs_set(inside ? 1 : 0);
	if (inside)
		move((int)row - 1, (int)column - 1);
	refresh();
	pthread_mutex_unlock(&t->lock);
	return 0;
}

/* t:farewell(text): what to say on standard error before a signal ends the program */
static int terminal_farewell(lua_State *L)
{
	terminal *t = check(L);
	char *const text = strdup(luaL_checkstring(L, 2));
	if (!text)
		return luaL_error(L, "not enough memory");
	pthread_mutex_lock(&t->lock);
	free(t->farewell);
	t->farewell = text;
	pthread_mutex_unlock(&t->lock);
	return 0;
}

static const struct { int code; const char *name; } keys[] = {
	{ KEY_UP, "up" }, { KEY_LEFT, "left" }, { KEY_DOWN, "down" }, { KEY_RIGHT, "right" }, { ' ', "space" },
	{ '\n', "enter" }, { '\r', "enter" }, { KEY_ENTER, "enter" }, { '\t', "tab" }, { 27, "escape" },
	{ KEY_BACKSPACE, "backspace" }, { '\b', "backspace" }, { 127, "backspace" }, { KEY_DC, "delete" },
};

static int push_key(lua_State *L, int code)
{
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (keys[i].code == code) {
			lua_pushstring(L, keys[i].name);
			return 1;
		}
	char const character = (char)code;
	if (code > ' ' && code < 127)
		lua_pushlstring(L, &character, 1);
	else if (code == 'D' - 'A' + 1)
		lua_pushnil(L);
	else
		lua_pushliteral(L, "other");
	return 1;
}

/* A key that was pressed, or ERR. */
static int pressed(terminal *t)
{
	pthread_mutex_lock(&t->lock);
	int const code = getch();
	pthread_mutex_unlock(&t->lock);
	return code;
}

/* The screen takes the size of the window. */
static void resize(terminal *t)
{
	struct winsize size;
	uint64_t count;
	if (read(t->changed, &count, sizeof count) < 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		return;
	pthread_mutex_lock(&t->lock);
	if (size.ws_row > 0 && size.ws_col > 0)
		resize_term(size.ws_row, size.ws_col);
	pthread_mutex_unlock(&t->lock);
}

/* t:key(seconds) -> the key that is pressed: the character, "up", "left", "down", "right", "space", "enter", "tab",
 * "escape", "backspace", "delete" or "other"; "resize" when the screen has to be drawn anew; false when none comes in that
 * time (without it, it waits); nil at the end of the input */
static int terminal_key(lua_State *L)
{
	terminal *t = check(L);
	lua_Number const seconds = luaL_optnumber(L, 2, -1);
	int const timeout = seconds < 0 ? -1 : (int)fmin(ceil(seconds * 1000), 1e9);
	int code = pressed(t);
	if (code != ERR)
		return push_key(L, code);
	struct pollfd ready[] = { { STDIN_FILENO, POLLIN, 0 }, { t->changed, POLLIN, 0 } };
	int const count = poll(ready, 2, timeout);
	if (count > 0 && ready[1].revents) {
		resize(t);
		lua_pushliteral(L, "resize");
		return 1;
	}
	if (count > 0 && (code = pressed(t)) != ERR)
		return push_key(L, code);
	if (count > 0)
		lua_pushnil(L);
	else
		lua_pushboolean(L, false);
	return 1;
}

static const luaL_Reg metamethods[] = {
	{"__gc",    terminal_close},
	{"__close", terminal_close},
	{NULL,      NULL},
};

static const luaL_Reg methods[] = {
	{"close",       terminal_close},
	{"size",        terminal_size},
	{"has_colours", terminal_has_colours},
	{"is_utf8",     terminal_is_utf8},
	{"clear",       terminal_clear},
	{"put",         terminal_put},
	{"show",        terminal_show},
	{"key",         terminal_key},
	{"farewell",    terminal_farewell},
	{NULL,          NULL},
};

static const luaL_Reg functions[] = {
	{"open", terminal_open},
	{NULL,   NULL},
};

int crux_open_terminal(lua_State *L)
{
	return crux_open_type(L, TERMINAL_TYPE, metamethods, methods, functions);
}
