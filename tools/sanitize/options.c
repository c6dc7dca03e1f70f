// The options of the sanitizers in every instrumented program. They do not depend on the environment of the program.
//
// Findings go to files named REPORTS.PROCESS_ID and not to stderr: the tests kill many of the servers that they start, and
// discard their output. `tools/sanitize/run` reads the files after the tests.

#define COMMON "log_path=" REPORTS

// Leak detection is off, because it reports false leaks. It finds only unchanged pointers, but a Swift enum with several payloads
// stores its case in the spare bits of a pointer. The fault tests check that memory does not grow while a server runs.
const char *__asan_default_options(void) { return COMMON ":detect_leaks=0"; }

const char *__tsan_default_options(void) { return COMMON; }
