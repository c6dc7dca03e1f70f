#include "clinux.h"

// A section of its own: tools/build-static puts the commit into the finished program, so that nothing is compiled anew for it.
// Volatile, since the compiler must not know the bytes.
__attribute__((section("convert_commit"), used)) static const volatile char commit[48] = "unknown";

const char *convert_build_commit(void) { return (const char *)commit; }
