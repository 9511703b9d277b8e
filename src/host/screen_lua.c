/* libcrux.screen: the screen and the keys of a terminal, which is restored however the program ends.
 *
 * While a terminal is open, the signals that end or stop the program are blocked; a thread waits for them, restores the
 * terminal and lets them act. No work is done in signal handlers, and a long calculation can be interrupted at once. */
#include <lauxlib.h>
#include <locale.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "limits/watchdog.h" /* before curses, which makes macros of common words */

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>

#include "lua/modules.h"
#include "lua/binding.h"

#define SCREEN_TYPE "crux.screen"

/* Signals whose actions ncurses changes. */
static const int taken[] = { SIGINT, SIGTERM, SIGTSTP, SIGWINCH };
static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP };

enum { COUNT_TAKEN = sizeof taken / sizeof *taken, COUNT_ENDING = sizeof ending / sizeof *ending };

typedef struct terminal {
	SCREEN *screen;       /* NULL when closed */
	pthread_mutex_t lock; /* held while curses is at work */
	pthread_t watcher;
	bool watched;         /* there is a watcher */
	bool closing;         /* the watcher must end */
	int changed[2];       /* a pipe with a byte if the screen must be drawn again; -1 when closed */
	char *farewell;       /* written before a signal ends the program; or NULL */
	sigset_t signals, former_signals;
	struct sigaction former[COUNT_ENDING];
	locale_t locale, former_locale;
} terminal;

/* Writes the farewell to standard error, if that is possible. */
static void say_farewell(terminal const *t)
{
	if (t->farewell && write(STDERR_FILENO, t->farewell, strlen(t->farewell)) < 0)
		return;
}

/* Lets a signal act on this program; returns if it only stops the program, when that continues. */
static void act(int signal)
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
	int signal;
	while (sigwait(&t->signals, &signal) == 0) {
		pthread_mutex_lock(&t->lock);
		bool const closing = t->closing;
		if (closing && signal != SIGWINCH)
			kill(getpid(), signal); /* it acts after the terminal is closed */
		if (!closing && signal != SIGWINCH) {
			endwin();
			if (signal != SIGTSTP)
				say_farewell(t);
			act(signal);
		}
		pthread_mutex_unlock(&t->lock);
		if (closing || write(t->changed[1], "", 1) < 0)
			return NULL;
	}
	return NULL;
}

/* Restores the screen of a process that is ended while a script runs; scripts do not use the screen. */
static void leave_screen(void) { endwin(); }

/* Undoes start, also one that failed. */
static void finish(terminal *t)
{
	crux_watchdog_at_end(NULL);
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
	for (int i = 0; i < 2 && t->changed[i] >= 0; i++)
		close(t->changed[i]);
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

/* Makes the screen and restores the actions of signals that ncurses changes. */
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
	noqiflush(); /* otherwise Ctrl-C drops a key that wgetch has seen, and wgetch waits while the lock is held */
	noecho();
	keypad(stdscr, true);
	nodelay(stdscr, true);
	set_escdelay(25); /* ms in which the rest of a key must follow ESC */
	if (!has_colors())
		return;
	start_color();
	use_default_colors();
	for (short colour = 0; colour < 8; colour++)
		init_pair((short)(colour + 1), colour, -1);
}

/* Blocks the signals for the watcher, except those that the program ignores, and gives them their default actions. */
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

/* Returns NULL, or what was expected. */
static const char *start(terminal *t)
{
	pthread_mutex_init(&t->lock, NULL);
	block_signals(t);
	t->locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	t->former_locale = uselocale(t->locale);
	bool const has_pipe = pipe(t->changed) == 0;
	t->screen = new_screen();
	if (!t->screen || !cursor_address)
		return "a terminal whose cursor can be moved";
	prepare_screen();
	t->watched = has_pipe && pthread_create(&t->watcher, NULL, watch, t) == 0;
	return t->watched ? NULL : "resources for another thread";
}

/* open() -> terminal; or nil and what was expected */
static int screen_open(lua_State *L)
{
	terminal *t = crux_handle_new(L, SCREEN_TYPE, sizeof *t, 0);
	t->changed[0] = t->changed[1] = -1;
	const char *const expected = start(t);
	if (!expected) {
		crux_watchdog_at_end(leave_screen);
		return 1;
	}
	finish(t);
	return crux_fail(L, expected);
}

static int screen_close(lua_State *L)
{
	terminal *t = luaL_checkudata(L, 1, SCREEN_TYPE);
	if (t->screen)
		finish(t);
	return 0;
}

static terminal *check(lua_State *L)
{
	return crux_handle_check(L, 1, SCREEN_TYPE, "the terminal was closed");
}

/* t:size() -> columns, rows */
static int screen_size(lua_State *L)
{
	check(L);
	lua_pushinteger(L, getmaxx(stdscr));
	lua_pushinteger(L, getmaxy(stdscr));
	return 2;
}

/* t:colours() -> the number of colours, 0 for a terminal without */
static int screen_colours(lua_State *L)
{
	check(L);
	lua_pushinteger(L, has_colors() ? COLORS : 0);
	return 1;
}

/* t:clear(): clears the screen; t:show makes that visible */
static int screen_clear(lua_State *L)
{
	terminal *t = check(L);
	pthread_mutex_lock(&t->lock);
	erase();
	pthread_mutex_unlock(&t->lock);
	return 0;
}

/* The colours have the order of curses. */
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

/* Returns the next character of *text, '?' for one that the terminal does not show, and advances *text. */
static wchar_t next_character(const char **text, const char *end)
{
	mbstate_t state = { 0 };
	wchar_t character = L'?';
	size_t const bytes = mbrtowc(&character, *text, (size_t)(end - *text), &state);
	bool const known = bytes > 0 && bytes <= (size_t)(end - *text);
	*text += known ? bytes : 1;
	return known && wcwidth(character) > 0 ? character : L'?';
}

/* t:put(row, column, text, style): writes text from that place on, counted from 1, 1; text beyond the edges is cut off */
static int screen_put(lua_State *L)
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

/* Returns the colour at an index of a row of pixels; -1, the colour of the terminal's ground, for nil. */
static int pixel_at(lua_State *L, int row, lua_Integer index)
{
	int const colour = lua_geti(L, row, index) == LUA_TNIL ? -1 : (int)luaL_checkinteger(L, -1);
	lua_pop(L, 1);
	return colour;
}

/* t:pixels(row, column, upper, lower, count): shows two rows of pixels as half blocks in a line, from that place on, counted from
 * 1, 1. A row has numbers of colours from index 0 on, nil for the terminal's ground; pixels beyond the edges are cut off. */
static int screen_pixels(lua_State *L)
{
	terminal *t = check(L);
	lua_Integer const row = luaL_checkinteger(L, 2), column = luaL_checkinteger(L, 3), count = luaL_checkinteger(L, 6);
	luaL_checktype(L, 4, LUA_TTABLE);
	luaL_checktype(L, 5, LUA_TTABLE);
	if (row < 1 || row > getmaxy(stdscr) || column < 1)
		return 0;
	for (lua_Integer i = 0; i < count && column + i <= getmaxx(stdscr); i++) {
		int const upper = pixel_at(L, 4, i), lower = pixel_at(L, 5, i);
		wchar_t const block[] = { upper >= 0 ? L'\u2580' : lower >= 0 ? L'\u2584' : L' ', L'\0' };
		pthread_mutex_lock(&t->lock);
		int pair = upper < 0 && lower < 0 ? 0 : upper < 0 ? alloc_pair(lower, -1) : alloc_pair(upper, lower);
		cchar_t cell;
		setcchar(&cell, block, A_NORMAL, 0, pair > 0 ? &pair : NULL);
		mvadd_wch((int)row - 1, (int)(column + i) - 1, &cell);
		pthread_mutex_unlock(&t->lock);
	}
	return 0;
}

/* t:show(row, column): shows what was put, with the cursor at that place; without a place the cursor is hidden */
static int screen_show(lua_State *L)
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

/* t:farewell(text): sets the text that is written to standard error before a signal ends the program */
static int screen_farewell(lua_State *L)
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

/* Returns the code of a key that was pressed, or ERR. */
static int pressed(terminal *t)
{
	pthread_mutex_lock(&t->lock);
	int const code = getch();
	pthread_mutex_unlock(&t->lock);
	return code;
}

/* Gives the screen the size of the window. */
static void resize(terminal *t)
{
	struct winsize size;
	char bytes[64]; /* several changes are drawn once */
	if (read(t->changed[0], bytes, sizeof bytes) < 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		return;
	pthread_mutex_lock(&t->lock);
	if (size.ws_row > 0 && size.ws_col > 0)
		resize_term(size.ws_row, size.ws_col);
	pthread_mutex_unlock(&t->lock);
}

/* t:key(seconds) -> the next key: a character, "up", "left", "down", "right", "space", "enter", "tab", "escape", "backspace",
 * "delete" or "other"; "resize" if the screen must be drawn again; false if no key comes in that time (without it, it waits);
 * nil at the end of the input */
static int screen_key(lua_State *L)
{
	terminal *t = check(L);
	lua_Number const seconds = luaL_optnumber(L, 2, -1);
	int const timeout = seconds < 0 ? -1 : (int)fmin(ceil(seconds * 1000), 1e9);
	int code = pressed(t);
	if (code != ERR)
		return push_key(L, code);
	struct pollfd ready[] = { { STDIN_FILENO, POLLIN, 0 }, { t->changed[0], POLLIN, 0 } };
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

CRUX_TABLE(methods,
	{"close",       screen_close},
	{"size",        screen_size},
	{"colours",     screen_colours},
	{"clear",       screen_clear},
	{"put",         screen_put},
	{"pixels",      screen_pixels},
	{"show",        screen_show},
	{"key",         screen_key},
	{"farewell",    screen_farewell},
	CRUX_CLOSES(screen_close))

CRUX_TABLE(functions,
	{"open", screen_open})

CRUX_TYPE_LIBRARY(screen, SCREEN_TYPE)
