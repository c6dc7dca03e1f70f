// The parts of a C library that the engine uses, for a WebAssembly module that imports nothing. Names and meanings are the standard's.
#ifndef CWASM_H
#define CWASM_H

#include <stddef.h>
#include <stdint.h>

void *_Nullable malloc(size_t size);
void *_Nullable calloc(size_t count, size_t size);
void *_Nullable realloc(void *_Nullable block, size_t size);
void free(void *_Nullable block);
int memcmp(const void *_Nonnull left, const void *_Nonnull right, size_t count);

// The seed of the random numbers: the module has no source of its own.
void cwasm_seed(uint64_t seed);

#endif
