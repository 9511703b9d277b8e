/* Under the address sanitizer the program does not look for leaks when it ends, which takes as long as a short command: the tests' own
 * processes do, and test-valgrind for each command. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);

const char *__asan_default_options(void) { return "detect_leaks=0"; }
