// What AddressSanitizer shall and shall not do in every instrumented program, whatever environment it is started with.
//
// Leaks are not looked for. The search knows pointers only as they are, and an enum with several payloads keeps its case in the
// spare bits of a pointer: what such a value holds when the program ends is called lost. That nothing grows while a
// server runs is what the fault tests show.
const char *__asan_default_options(void) { return "detect_leaks=0"; }
