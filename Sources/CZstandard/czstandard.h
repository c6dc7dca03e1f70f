// The system's zstd. No logic.
#ifndef CZSTANDARD_H
#define CZSTANDARD_H
#include <zstd.h>
#endif
