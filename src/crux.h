/* crux: rates how hard puzzle levels are, with rules and games written in Lua. The public interface of libcrux.
 *
 * Ownership: what a function named ..._new, ..._load, ..._from_formula, ..._parse, ..._generate or ..._take returns belongs to
 * the caller, who gives it back with the ..._free of its type. Rules, games, levels and pools belong to their engine: free them
 * before the engine. Arrays and texts that are passed in are only read during the call.
 *
 * Arguments: a text ends with '\0'. An array comes with its length, and crux reads and writes nothing beyond that. NULL, an
 * array that is shorter than needed and a number out of range are failures, except where a function says that it takes them.
 * What a function writes may overlap what it reads: it writes when it has read all.
 *
 * Errors: a function that can fail takes a crux_fault as its last argument. On failure it returns NULL or false, changes nothing
 * else, and writes one line into the fault, which says what was found and what was expected; on success it does not change the
 * fault. The fault may be NULL. The library prints nothing and never ends the process.
 *
 * Threads: one thread at a time may use an engine and the rules, games, levels and pools that belong to it; different threads may use
 * different engines at once. All engines of a process share, behind locks, the list of temporary files and, while a linear
 * program is solved, the new-handler of C++. crux_wall_raise concerns the whole process.
 *
 * Not guaranteed: the layout of anything declared here may change before version 1.0. crux cannot know a length that is wrong, nor
 * an object that was freed; their use is undefined. Messages may change; programs should only show them. */
#ifndef CRUX_H
#define CRUX_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CRUX_VERSION "0.2.0"

#if defined __GNUC__
#define CRUX_API __attribute__((visibility("default")))
#else
#define CRUX_API
#endif

/* What went wrong, as one line of UTF-8 that ends with '\0'. */
typedef struct crux_fault {
	char message[512];
} crux_fault;

/* A Lua state with the engine of crux in it. */
typedef struct crux_engine crux_engine;

/* A rule: measures -> rating. */
typedef struct crux_rule crux_rule;

/* Numbers about levels, one row a level. A missing value is NaN. */
typedef struct crux_table {
	size_t rows;              /* at most 1,000,000,000 */
	size_t columns;           /* at most 100,000 */
	const char *const *names; /* of the columns, no two alike; NULL if there are none */
	const double *values;     /* column after column: values[column * rows + row]; NULL if there are none */
	size_t length;            /* of values: rows * columns, or more */
} crux_table;

/* One term of a fitted formula. */
typedef struct crux_term {
	const char *name;  /* as R names it, the intercept "(intercept)"; lives as long as the rule is not fitted or freed */
	double estimate;   /* the coefficient; NaN when the term is aliased or the rule not fitted */
	double std_error;  /* the last three are NaN for a rule that was loaded with its coefficients */
	double t;
	double p;
} crux_term;

/* How well a formula fits, in the words of R's summary(lm). */
typedef struct crux_summary {
	size_t n;      /* rows used: complete, and of weight above 0 */
	size_t df;     /* residual degrees of freedom */
	double sigma;  /* residual standard error */
	double r_squared;
	double adj_r_squared;
	double f;      /* NaN when the formula has no term but the intercept */
	double f_p;
	double log_likelihood;
	double aic;
	double bic;
} crux_summary;

/* Starts an engine. `home` is the folder that holds crux's lua/, games/ and rules/. If it is NULL, crux takes the environment
 * variable CRUX_HOME, else the folder of the library or of the program, else share/crux of the prefix where crux is installed.
 * The current folder is not searched. */
CRUX_API crux_engine *crux_engine_new(const char *home, crux_fault *fault);

/* Ends an engine. NULL does nothing. */
CRUX_API void crux_engine_free(crux_engine *engine);

/* Limits of scripts; no limit where a number is not above 0. */
typedef struct crux_limit {
	double seconds;      /* of a call of a script's function */
	double megabytes;    /* of the engine's memory, as long as such a call lasts */
	double instructions; /* of such a call, in millions */
} crux_limit;

/* Sets limits; a new engine has none. A call of a script that exceeds a limit fails, even if the script catches the error. With
 * a limit on seconds or instructions scripts take almost twice the time, as their instructions are counted. No limit stops a
 * long call of a function in C, such as matching a pattern of a thousand '.-'. NULL does nothing. */
CRUX_API void crux_engine_limit(crux_engine *engine, crux_limit limit);

/* Stops the call that another thread makes with this engine: it fails, with "crux: interrupted". The call may end, or begin a part in
 * C, which is not stopped, meanwhile: call this again until the call has ended, and never when none runs. The thread of the call
 * must not block SIGURG, for which this installs a handler. NULL does nothing. */
CRUX_API void crux_engine_interrupt(crux_engine *engine);

/* Loads a rule script. A name without '/' and without ".lua" means the rule of that name that comes with crux. */
CRUX_API crux_rule *crux_rule_load(crux_engine *engine, const char *path, crux_fault *fault);

/* Makes a rule, not yet fitted, from a formula such as "difficulty ~ size + colours". `weights` names the column of
 * case weights; NULL: every row counts the same. */
CRUX_API crux_rule *crux_rule_from_formula(crux_engine *engine, const char *formula, const char *weights,
                                           crux_fault *fault);

/* Frees a rule, and the names of its terms. NULL does nothing. */
CRUX_API void crux_rule_free(crux_rule *rule);

/* Rates the levels of a table: sets ratings[row] for each row, to NaN if a measure that the rule needs is missing. `length` is
 * that of the ratings: the rows of the table, or more. The table may hold more columns than the rule needs, in any order. Fails
 * if the rule is not fitted, and if a column that it needs is not in the table. */
CRUX_API bool crux_rate(crux_rule *rule, const crux_table *table, double *ratings, size_t length, crux_fault *fault);

/* Fits the formula of a rule by (weighted) least squares, leaving out rows in which a value is missing; afterwards the
 * rule rates with the new coefficients. `summary` may be NULL. Fails for a rule whose formula is a Lua function, and if there
 * are fewer rows than terms. */
CRUX_API bool crux_fit(crux_rule *rule, const crux_table *table, crux_summary *summary, crux_fault *fault);

/* The number of terms of a rule's formula; 0 for NULL, and for a rule whose formula is a Lua function, or has a factor or a dot
 * and is not fitted. */
CRUX_API size_t crux_rule_terms(const crux_rule *rule);

/* The term at that place, counted from 0. If there is none, its name is NULL and its numbers are NaN. */
CRUX_API crux_term crux_rule_term(const crux_rule *rule, size_t place);

/* Writes the rule as a script that crux_rule_load reads, whole or not at all. Fails for a rule whose formula is a Lua
 * function. */
CRUX_API bool crux_rule_save(crux_rule *rule, const char *path, crux_fault *fault);

/* A game: how to read, solve, measure and generate levels of a puzzle. */
typedef struct crux_game crux_game;

/* A level of a game, which never changes. */
typedef struct crux_level crux_level;

/* Limits on solving a level; the default where a number is not above 0. */
typedef struct crux_search_limit {
	double seconds; /* no limit by default */
	size_t states;  /* of the search: 10 million by default */
	size_t bytes;   /* of the states: 1 GiB by default */
} crux_search_limit;

/* The outcome of solving a level. */
typedef enum crux_status {
	CRUX_LEVEL_SOLVED,
	CRUX_LEVEL_UNSOLVABLE, /* no solution exists */
	CRUX_LEVEL_UNKNOWN,    /* a limit was met first */
} crux_status;

/* The solution of a level: of several shortest ones the first in the order of the game's moves. */
typedef struct crux_solution {
	crux_status status;
	const char *limit; /* that was met, as crux_search_limit names it; NULL: none. Lives as long as the level */
	const char *text;  /* the solution in one line; NULL if there is none. Lives as long as the level */
	double length;     /* in moves; NaN if there are none */
} crux_solution;

/* The levels to generate. */
typedef struct crux_order {
	size_t seed;                /* above 2^63 - 1 it counts as 2^63 - 1 */
	size_t changes;             /* to try for a level before giving up; 0: 50,000 */
	const crux_table *options;  /* of the game's generator (`crux generate GAME --help`); one row. NULL: its defaults */
	const crux_table *measures; /* of each level, when they are rounded to as many decimals as here; one row. NULL: any */
} crux_order;

/* Loads a game script, or a game of PuzzleScript. A name without '/' and without ".lua" means the game of that name that comes
 * with crux. */
CRUX_API crux_game *crux_game_load(crux_engine *engine, const char *path, crux_fault *fault);

/* Frees a game; its levels remain. NULL does nothing. */
CRUX_API void crux_game_free(crux_game *game);

/* Sets limits on solving each level that is parsed or generated from now on. They end the search; crux_engine_limit ends a call
 * of the game's script. NULL does nothing. */
CRUX_API void crux_game_limit(crux_game *game, crux_search_limit limit);

/* Reads a level from the text of a level file, which must hold one level. Faults name the text "level", and count its lines and
 * columns from 1. */
CRUX_API crux_level *crux_level_parse(crux_game *game, const char *text, crux_fault *fault);

/* Generates the level that `crux generate` makes with this number (counted from 1; above 2^63 - 1 it counts as 2^63 - 1) from
 * the seed of the order. Fails if no level with the wanted measures was found. */
CRUX_API crux_level *crux_generate(crux_game *game, const crux_order *order, size_t number, crux_fault *fault);

/* Frees a level, and what functions returned that lives as long as the level. NULL does nothing. */
CRUX_API void crux_level_free(crux_level *level);

/* Solves a level, unless an earlier call has solved it; only measures that count its solutions solve it again. Reaching a limit
 * is no failure. */
CRUX_API bool crux_level_solve(crux_level *level, crux_solution *solution, crux_fault *fault);

/* Measures a level: returns the measures of `count` names as a table of one row, for crux_rate. NULL and 0: all measures but the
 * optional ones. A measure of the solution is NaN if the level is not solved. The table belongs to the level, and lives until the
 * next call of this function with this level. */
CRUX_API const crux_table *crux_level_measure(crux_level *level, const char *const *names, size_t count, crux_fault *fault);

/* Measures what a rule of the same engine needs, and rates the level. The rating is NaN if a measure is missing, for example
 * because the level is not solved. */
CRUX_API bool crux_level_rate(crux_level *level, crux_rule *rule, double *rating, crux_fault *fault);

/* The text of a level, as crux_level_parse reads it. Lives as long as the level. Fails for a game that cannot write levels. */
CRUX_API const char *crux_level_text(crux_level *level, crux_fault *fault);

/* A play of a level by the player of a record. */
typedef struct crux_play {
	size_t level; /* counted from 0 */
	bool is_solved;
} crux_play;

/* The levels of a game and the plays of one player. Difficulties are in logits: an average player solves a level of 0 every other
 * time, and one of -1 with a chance of 1 / (1 + exp(-1)). */
typedef struct crux_record {
	const double *difficulties; /* NULL if there are none */
	size_t levels;
	const crux_play *plays; /* NULL if there are none; of several plays of a level the first counts */
	size_t count;           /* of plays */
	double success;         /* the wanted chance; 0: 0.7 */
	double spread;          /* standard deviation of the abilities of players, in logits; 0: 1 */
} crux_record;

/* The level that a player plays next. */
typedef struct crux_next {
	size_t level;      /* counted from 0; the number of levels if the player has played all */
	double chance;     /* that the player solves it; NaN if there is none */
	double difficulty; /* of a level that the player would solve with the wanted chance, for a game that makes one */
} crux_next;

/* Chooses the level that the player solves with a chance nearest to the wanted one, and no level twice. */
CRUX_API bool crux_next_level(crux_engine *engine, const crux_record *record, crux_next *next, crux_fault *fault);

/* Levels made ahead, with ratings, for a game that gives its player one of a wanted rating. */
typedef struct crux_pool crux_pool;

/* The levels that a pool keeps: `count`, at least 2, of ratings evenly spaced from least to greatest, the middles of the first and
 * the last, and at most 10,000; made with random numbers of the seed. */
typedef struct crux_curve {
	double least, greatest;
	size_t count;
	size_t seed; /* above 2^63 - 1 it counts as 2^63 - 1 */
} crux_curve;

/* A pool, empty at first, of levels that the rule rates. It takes over the limits on solving of its game. */
CRUX_API crux_pool *crux_pool_new(crux_game *game, crux_rule *rule, const crux_curve *curve, crux_fault *fault);

/* Frees a pool; levels that were taken remain. NULL does nothing. */
CRUX_API void crux_pool_free(crux_pool *pool);

/* Makes levels for some seconds, or until none is missing. `missing`, unless NULL, becomes the number of levels that are missing. */
CRUX_API bool crux_pool_fill(crux_pool *pool, double seconds, size_t *missing, crux_fault *fault);

/* Takes out the level nearest to a rating: within 0.05, or the nearest that can be made in so many seconds. A pool gives no level
 * twice; a level that is turned, mirrored or renamed is the same one. Fails if there is none. */
CRUX_API crux_level *crux_pool_take(crux_pool *pool, double rating, double seconds, crux_fault *fault);

/* The tasks that crux_call takes, as JSON: by name the line and the paragraphs that describe it (summary, details), and its options
 * by name, each with doc, type (text, number, integer, names or flag), what it takes in words, with the range of a number, unit,
 * default, choices, is_argument, is_flag and is_list. Lives until the next call of crux_tasks or crux_call with the engine. */
CRUX_API const char *crux_tasks(crux_engine *engine, crux_fault *fault);

/* Is told how far crux_call is, ten times a second at most, in its thread: `done` of `total` things, 0 if their number is unknown;
 * the noun, in the plural, says of what. If it returns false, the call fails, with "crux: interrupted". */
typedef bool (*crux_progress)(long long done, long long total, const char *noun, void *data);

/* Sets whom crux_call tells how far it is; nobody for NULL. A NULL engine does nothing. */
CRUX_API void crux_engine_watch(crux_engine *engine, crux_progress progress, void *data);

/* Calls a task: what the command of that name computes, or the task of the script at that path. names[i] is an option of
 * crux_tasks and values[i] its value as the command line takes it, "true" or "false" for a flag; an option that is a list may be
 * given several times. Scripts and datasets are named by their paths; with "output", fit and select write the rule there. Returns
 * JSON: result, what the command prints with --format json; tables, each with title and rows; notes, sentences about the result;
 * remarks, lines about the data. Lives until the next call of crux_tasks or crux_call with the engine. */
CRUX_API const char *crux_call(crux_engine *engine, const char *task, const char *const *names, const char *const *values,
                               size_t count, crux_fault *fault);

/* Raises a wall around this process, with all of its threads, until it ends: opening files to write, making files with a name,
 * starting programs and processes, opening sockets and signalling other processes fail with EPERM or ENOSYS. Threads, reading
 * files, open files, and renaming and removing files still work. The program crux raises the wall before it runs scripts; the
 * library never does by itself. Fails if crux was built without libseccomp, if the kernel refuses, and if the wall was raised
 * before. See SECURITY.md. */
CRUX_API bool crux_wall_raise(crux_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
