#include "cplayground.h"

// Every build works without the page, which needs the WebAssembly module and so minutes. When tools/build-playground has made another
// page, it touches this file: the compiler knows no dependency on a file that was not there.
#if defined(__has_embed)
#if __has_embed("../../.build/playground/playground.html.gz") == 1 && __has_embed("../../.build/playground/policy.txt") == 1
#define HAS_PAGE
#endif
#endif

#ifdef HAS_PAGE
#pragma clang diagnostic ignored "-Wc23-extensions"
static const unsigned char page[] = {
#embed "../../.build/playground/playground.html.gz"
};
static const char policy[] = {
#embed "../../.build/playground/policy.txt" suffix(, 0)
};

const unsigned char *convert_playground_page(size_t *count) {
    *count = sizeof page;
    return page;
}
#else
static const char policy[] = "";

const unsigned char *convert_playground_page(size_t *count) {
    *count = 0;
    return (const unsigned char *)policy;
}
#endif

const char *convert_playground_policy(void) { return policy; }
