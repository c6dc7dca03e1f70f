// What a sanitizer shall and shall not do in every instrumented program, whatever environment it is started with.
//
// What is found goes to files at REPORTS, a process number behind it, and not to stderr: the tests kill many of the servers
// that they start, and throw away what those wrote. `tools/sanitize/run` looks at the files when all is over.

#define COMMON "log_path=" REPORTS

// Leaks are not looked for. The search knows pointers only as they are, and an enum with several payloads keeps its case in the
// spare bits of a pointer: what such a value holds when the program ends is called lost. That nothing grows while a
// server runs is what the fault tests show.
const char *__asan_default_options(void) { return COMMON ":detect_leaks=0"; }

const char *__tsan_default_options(void) { return COMMON; }
