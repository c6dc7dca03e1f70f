// The encoder of the system's brotli. No logic.
#ifndef CBROTLI_H
#define CBROTLI_H
#include <brotli/encode.h>
#endif
