// malloc for one thread of a WebAssembly module, as in Masmano et al., "TLSF: a new dynamic memory allocator for real-time systems". It
// finds a good fit in constant time, and merges neighbours when they are freed.
//
// The heap is a row of chunks from the end of the data to the end of the memory. A chunk begins with the size of the chunk before it and
// its own. Its block follows at a multiple of sixteen. The last chunk is free, in no list, and grows with the memory.
// Sizes are rounded up, so that every chunk in a list is large enough for each request that searches the list.
#include "cwasm.h"

typedef struct chunk {
  uint32_t size_before;  // 0 for the first
  uint32_t size;         // header and block, a multiple of 16; the lowest bit is set while in use
  struct chunk *next, *previous;  // of a free chunk, in its list
} chunk;

enum {
  HEADER_BYTES = 8,
  ALIGNMENT = 16,
  IN_USE = 1,
  // Sizes below this have lists of their own, in steps of the alignment. Above, each power of two has eight.
  SMALL_BYTES_LOG2 = 10,
  STEPS_LOG2 = 3,
  SMALL_LISTS = (1 << SMALL_BYTES_LOG2) / ALIGNMENT,
  LISTS = SMALL_LISTS + ((32 - SMALL_BYTES_LOG2) << STEPS_LOG2),
  PAGE_BYTES = 65536,
  // The smallest step by which the memory grows.
  GROWTH_BYTES = 4 * PAGE_BYTES,
};
// Larger requests fail. The sum of any two sizes does not overflow.
#define MAX_BYTES ((size_t)1 << 30)

extern unsigned char __heap_base;
static chunk *lists[LISTS];
static uint64_t filled[(LISTS + 63) / 64];
static chunk *last;

static uint32_t size_of(const chunk *c) { return c->size & ~(uint32_t)IN_USE; }
static chunk *after(const chunk *c) { return (chunk *)((char *)c + size_of(c)); }
static chunk *before(const chunk *c) { return (chunk *)((char *)c - c->size_before); }
static int is_free(const chunk *c) { return !(c->size & IN_USE); }
static void *block_of(chunk *c) { return (char *)c + HEADER_BYTES; }
static chunk *chunk_of(void *block) { return (chunk *)((char *)block - HEADER_BYTES); }

static int log2_of(uint32_t size) { return 31 - __builtin_clz(size); }

// The size of a chunk for a block of so many bytes: the least of its list.
static uint32_t chunk_size(size_t bytes) {
  uint32_t size = (uint32_t)(bytes + HEADER_BYTES + ALIGNMENT - 1) & ~(uint32_t)(ALIGNMENT - 1);
  if (size < 1u << SMALL_BYTES_LOG2) return size;
  uint32_t step = 1u << (log2_of(size) - STEPS_LOG2);
  return (size + step - 1) & ~(step - 1);
}

static int list_of(uint32_t size) {
  if (size < 1u << SMALL_BYTES_LOG2) return (int)(size / ALIGNMENT);
  int log2 = log2_of(size);
  int step = (int)(size >> (log2 - STEPS_LOG2)) - (1 << STEPS_LOG2);
  return SMALL_LISTS + ((log2 - SMALL_BYTES_LOG2) << STEPS_LOG2) + step;
}

static void insert(chunk *c) {
  int list = list_of(c->size);
  c->previous = 0;
  c->next = lists[list];
  if (c->next) c->next->previous = c;
  lists[list] = c;
  filled[list / 64] |= (uint64_t)1 << list % 64;
}

static void take(chunk *c) {
  int list = list_of(c->size);
  if (c->next) c->next->previous = c->previous;
  if (c->previous) {
    c->previous->next = c->next;
  } else {
    lists[list] = c->next;
    if (!c->next) filled[list / 64] &= ~((uint64_t)1 << list % 64);
  }
}

// The first chunk of the first list from `list` on that has any; null for none.
static chunk *find(int list) {
  uint64_t word = filled[list / 64] & ~(uint64_t)0 << list % 64;
  for (int index = list / 64;;) {
    if (word) return lists[index * 64 + __builtin_ctzll(word)];
    if (++index == sizeof filled / sizeof *filled) return 0;
    word = filled[index];
  }
}

static void set_size(chunk *c, uint32_t size) {
  c->size = size;
  after(c)->size_before = size;
}

// Makes the last chunk larger than `size`. False if there is no more memory.
static int reserve(uint32_t size) {
  if (!last) {
    // A header is before a multiple of the alignment. The header of what follows the last chunk is beyond the memory and never used.
    last = (chunk *)((((size_t)&__heap_base + HEADER_BYTES + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1)) - HEADER_BYTES);
    last->size_before = 0;
    last->size = (uint32_t)(__builtin_wasm_memory_size(0) * PAGE_BYTES - (size_t)last) & ~(uint32_t)(ALIGNMENT - 1);
  }
  // A free chunk has room for its links.
  uint32_t wanted = size + sizeof(chunk) + ALIGNMENT;
  if (last->size >= wanted) return 1;
  uint32_t lacking = wanted - last->size;
  uint32_t pages = ((lacking > GROWTH_BYTES ? lacking : GROWTH_BYTES) + PAGE_BYTES - 1) / PAGE_BYTES;
  if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return 0;
  last->size += pages * PAGE_BYTES;
  return 1;
}

// Cuts `size` bytes off the front of the last chunk.
static chunk *cut_last(uint32_t size) {
  chunk *c = last;
  uint32_t rest = c->size - size;
  last = (chunk *)((char *)c + size);
  last->size_before = size;
  last->size = rest;
  c->size = size | IN_USE;
  return c;
}

// Makes a chunk in use as small as `size`, and frees the rest if it can be a chunk.
static void trim(chunk *c, uint32_t size) {
  uint32_t rest = size_of(c) - size;
  if (rest < sizeof(chunk)) {
    c->size |= IN_USE;
    return;
  }
  chunk *next = after(c);
  c->size = size | IN_USE;
  chunk *remainder = after(c);
  remainder->size_before = size;
  if (next == last) {
    remainder->size = rest + last->size;
    last = remainder;
  } else if (is_free(next)) {
    take(next);
    set_size(remainder, rest + next->size);
    insert(remainder);
  } else {
    set_size(remainder, rest);
    insert(remainder);
  }
}

void *malloc(size_t bytes) {
  if (bytes > MAX_BYTES) return 0;
  uint32_t size = chunk_size(bytes);
  chunk *c = find(list_of(size));
  if (c) {
    take(c);
    trim(c, size);
    return block_of(c);
  }
  return reserve(size) ? block_of(cut_last(size)) : 0;
}

void free(void *block) {
  if (!block) return;
  chunk *c = chunk_of(block);
  c->size &= ~(uint32_t)IN_USE;
  if (c->size_before && is_free(before(c))) {
    chunk *left = before(c);
    take(left);
    left->size += c->size;
    c = left;
  }
  chunk *right = (chunk *)((char *)c + c->size);
  if (right == last) {
    c->size += last->size;
    last = c;
    return;
  }
  if (is_free(right)) {
    take(right);
    c->size += right->size;
  }
  set_size(c, c->size);
  insert(c);
}

void *realloc(void *block, size_t bytes) {
  if (!block) return malloc(bytes);
  if (bytes > MAX_BYTES) return 0;
  chunk *c = chunk_of(block);
  uint32_t known = size_of(c), size = chunk_size(bytes);
  if (size <= known) {
    trim(c, size);
    return block;
  }
  chunk *next = after(c);
  if (next == last && reserve(size - known)) {
    cut_last(size - known);
    last->size_before = size;
    c->size = size | IN_USE;
    return block;
  }
  if (next != last && is_free(next) && known + next->size >= size) {
    take(next);
    set_size(c, known + next->size);
    trim(c, size);
    return block;
  }
  void *moved = malloc(bytes);
  if (!moved) return 0;
  __builtin_memcpy(moved, block, known - HEADER_BYTES);
  free(block);
  return moved;
}

void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return 0;
  void *block = malloc(bytes);
  if (block) __builtin_memset(block, 0, bytes);
  return block;
}

// Swift asks for no more than the alignment of a vector.
int posix_memalign(void **block, size_t alignment, size_t bytes) {
  enum { OUT_OF_MEMORY = 12 };
  *block = alignment <= ALIGNMENT ? malloc(bytes) : 0;
  return *block ? 0 : OUT_OF_MEMORY;
}
