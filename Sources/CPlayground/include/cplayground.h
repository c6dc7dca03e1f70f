// The page that tools/build-playground makes, as bytes of the program. No logic.
#ifndef CPLAYGROUND_H
#define CPLAYGROUND_H

#include <stddef.h>

// The page, gzipped. In a program that was built without it, it has no bytes.
const unsigned char *convert_playground_page(size_t *count);
// The page's Content-Security-Policy.
const char *convert_playground_policy(void);
#endif
