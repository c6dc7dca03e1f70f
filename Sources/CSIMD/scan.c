#include "copy_text.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

// Blocks of 64 bytes. All comparisons return one bit for each byte, the first one lowest.

#define SCAN_FEATURES "avx512f,avx512bw,avx512vl,avx512vbmi2,pclmul,bmi,bmi2,popcnt,lzcnt"
#pragma clang attribute push(__attribute__((target(SCAN_FEATURES))), apply_to = function)

typedef __m512i block;

static inline block load(const uint8_t *address) { return _mm512_loadu_si512(address); }
static inline block splat(uint8_t byte) { return _mm512_set1_epi8((char)byte); }
#define table(...) _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const uint8_t[16]){__VA_ARGS__}))
static inline block lookup(block table, block nibbles) { return _mm512_shuffle_epi8(table, nibbles); }
static inline block low_nibbles(block a) { return _mm512_and_si512(a, splat(15)); }
static inline block high_nibbles(block a) { return _mm512_and_si512(_mm512_srli_epi16(a, 4), splat(15)); }
static inline block and_blocks(block a, block b) { return _mm512_and_si512(a, b); }
static inline block or_blocks(block a, block b) { return _mm512_or_si512(a, b); }
static inline block xor_blocks(block a, block b) { return _mm512_xor_si512(a, b); }
static inline block or_byte(block a, uint8_t byte) { return _mm512_or_si512(a, splat(byte)); }
static inline block subtract_saturating(block a, uint8_t byte) { return _mm512_subs_epu8(a, splat(byte)); }
static inline uint64_t equal(block a, uint8_t byte) { return _mm512_cmpeq_epi8_mask(a, splat(byte)); }
static inline uint64_t equal_blocks(block a, block b) { return _mm512_cmpeq_epi8_mask(a, b); }
static inline uint64_t nonzero_bytes(block a) { return _mm512_test_epi8_mask(a, a); }
static inline uint64_t below_space(block a) { return _mm512_cmplt_epu8_mask(a, splat(' ')); }
static inline void store(uint8_t *address, block a) { _mm512_storeu_si512(address, a); }
static inline uint64_t text_stops(block a) { return below_space(a) | equal(a, '"') | equal(a, '\\'); }
static inline uint64_t within(block a, uint8_t first, uint8_t count) {
  return _mm512_cmplt_epu8_mask(_mm512_sub_epi8(a, splat(first)), splat(count));
}
static inline uint64_t high_bits(block a) { return _mm512_movepi8_mask(a); }
// Bytes from @ on, apart from the structural ones.
static inline uint64_t letters(block a) { return _mm512_test_epi8_mask(a, splat(0x40)); }
static inline uint64_t prefix_xor(uint64_t bits) {
  return (uint64_t)_mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)bits), _mm_set1_epi8(-1), 0));
}
// The block that begins `distance` bytes earlier.
#define earlier(bytes, before, distance) \
  _mm512_alignr_epi8(bytes, _mm512_permutex2var_epi64(before, _mm512_setr_epi64(6, 7, 8, 9, 10, 11, 12, 13), bytes), 16 - (distance))
// Compressing into a register and storing that is faster than compressing into memory on some processors.
static inline void compress(uint8_t *output, block bytes, uint64_t kept) { store(output, _mm512_maskz_compress_epi8(kept, bytes)); }
// The same where few bytes are kept: half a block seldom lies in two cache lines. Returns their number.
static inline size_t compress_few(uint8_t *output, block bytes, uint64_t kept) {
  block few = _mm512_maskz_compress_epi8(kept, bytes);
  size_t count = (size_t)__builtin_popcountll(kept);
  _mm256_storeu_si256((__m256i *)output, _mm512_castsi512_si256(few));
  if (__builtin_expect(count > 32, 0)) store(output, few);
  return count;
}

struct scan_state {
  // From the last block: whether a string is open (all bits or none), whether a backslash escapes the next byte.
  uint64_t in_string, escaped;
  // All bits if a line feed separates values.
  uint64_t lines;
  // Whether the last block ended in a number or a literal: the lowest bit.
  uint64_t scalar;
  // What the last block had at its end. Only the highest bits count.
  uint64_t unicode_escapes, non_ascii;
  block bytes;
  size_t non_ascii_bytes;
};

// Each bit of `bits` moved up by `distance`, behind the highest bits of the block before.
static inline uint64_t moved(uint64_t bits, uint64_t before, int distance) {
  return bits << distance | before >> (64 - distance);
}

// The bytes that a backslash escapes.
static inline uint64_t escaped_bytes(uint64_t backslashes, uint64_t *carry) {
  if (!backslashes) {
    uint64_t escaped = *carry;
    *carry = 0;
    return escaped;
  }
  const uint64_t odd = 0xAAAAAAAAAAAAAAAAull;
  uint64_t potential = backslashes & ~*carry;
  uint64_t series = (((potential << 1) | odd) - potential) ^ odd;
  uint64_t escaped = series ^ (backslashes | *carry);
  *carry = (series & backslashes) >> 63;
  return escaped;
}

// The bytes that make an escape invalid. Backslashes outside of strings are invalid in any case.
static inline uint64_t bad_escapes(block bytes, uint64_t escaped, struct scan_state *state) {
  // Bits for the high nibbles 2, 5, 6, 7 with which a low nibble makes one of "\/bfnrtu.
  const block low = table(0, 0, 13, 0, 8, 8, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1);
  const block high = table(0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0);
  uint64_t known = nonzero_bytes(and_blocks(lookup(low, bytes), lookup(high, high_nibbles(bytes))));
  uint64_t unicode = escaped & equal(bytes, 'u');
  uint64_t before = state->unicode_escapes;
  uint64_t hex = moved(unicode, before, 1) | moved(unicode, before, 2) | moved(unicode, before, 3) | moved(unicode, before, 4);
  state->unicode_escapes = unicode;
  uint64_t digits = within(bytes, '0', 10) | within(or_byte(bytes, 0x20), 'a', 6);
  return (escaped & ~known) | (hex & ~digits);
}

#include "text.h"

// For runs of ones that begin at a bit of `first`: the bit after each.
static inline uint64_t ends_of_runs(uint64_t first, uint64_t runs) { return (runs + first) & ~runs; }

// The bytes that make a literal invalid. `literals` are the first bytes of scalars that are letters, `ends` the bytes after scalars.
static inline uint64_t bad_literals(block bytes, const uint8_t *address, uint64_t literals, uint64_t ends) {
  // The low nibbles of f, n and t.
  const block second = table(0, 0, 0, 0, 'r', 0, 'a', 0, 0, 0, 0, 0, 0, 0, 'u', 0);
  const block third = table(0, 0, 0, 0, 'u', 0, 'l', 0, 0, 0, 0, 0, 0, 0, 'l', 0);
  const block fourth = table(0, 0, 0, 0, 'e', 0, 's', 0, 0, 0, 0, 0, 0, 0, 'l', 0);
  uint64_t f = literals & equal(bytes, 'f');
  uint64_t right = equal_blocks(lookup(second, bytes), load(address + 1)) & equal_blocks(lookup(third, bytes), load(address + 2))
      & equal_blocks(lookup(fourth, bytes), load(address + 3));
  right &= ~f | equal(load(address + 4), 'e');
  right &= f | equal(bytes, 't') | equal(bytes, 'n');
  return (literals & ~right) | ((f << 5 | (literals & ~f) << 4) & ~ends);
}

// The bytes that make a number invalid; those of literals are not in `numbers`. `starts` are the first bytes of scalars.
//
//     number = [ minus ] int [ frac ] [ exp ]      int = zero / ( digit1-9 *DIGIT )
//     frac = "." 1*DIGIT                           exp = ( "e" / "E" ) [ "-" / "+" ] 1*DIGIT
static inline uint64_t bad_numbers(block bytes, uint64_t numbers, uint64_t starts) {
  uint64_t digits = within(bytes, '0', 10) & numbers, rest = numbers & ~digits;
  uint64_t minus = rest & equal(bytes, '-'), points = rest & equal(bytes, '.'), others = rest & ~(minus | points);
  uint64_t after_digits = digits << 1, after_points = points << 1, after_minus = (minus & starts) << 1;
  uint64_t integer_zeros = equal(bytes, '0') & (starts | after_minus);
  uint64_t bad = integer_zeros << 1 & digits;
  bad |= (points & ~after_digits) | ((after_points | after_minus) & ~digits);
  // A fraction ends without another point.
  bad |= ends_of_runs(after_points & digits, digits) & points;
  uint64_t later_minus = minus & ~starts;
  if (others | later_minus) {
    uint64_t plus = others & equal(bytes, '+'), exponents = others & equal(or_byte(bytes, 0x20), 'e'), signs = plus | later_minus;
    uint64_t after_exponents = exponents << 1, after_signs = signs << 1;
    bad |= others & ~(plus | exponents);
    bad |= (exponents & ~after_digits) | (signs & ~after_exponents) | (after_exponents & ~(digits | signs)) | (after_signs & ~digits);
    // An exponent ends with neither a point nor another exponent.
    bad |= ends_of_runs((after_exponents | after_signs) & digits, digits) & (points | exponents);
  }
  return bad;
}

// Whether the numbers and literals in `count` bytes are valid. A zero byte ends each of them. The last one may be cut: without an end it is
// not checked, and 64 other bytes follow. Those of more than 63 bytes count as invalid.
static inline int are_valid_scalars(const uint8_t *scalars, size_t count) {
  uint64_t bad = 0;
  for (size_t offset = 0; offset < count;) {
    block bytes = load(scalars + offset);
    uint64_t unended = nonzero_bytes(bytes), ends = ~unended;
    if (!ends) return count - offset < 64 && !bad;
    // Only whole ones are checked. The next block begins behind them, so no block depends on what comes before it.
    size_t behind = (size_t)__builtin_clzll(ends);
    uint64_t whole = UINT64_MAX >> behind, starts = unended & ~(unended << 1), literals = starts & letters(bytes) & whole;
    if (literals) bad |= bad_literals(bytes, scalars + offset, literals, ends);
    bad |= bad_numbers(bytes, unended & (unended + literals), starts) & whole;
    offset += 64 - behind;
  }
  return !bad;
}

// The results for 64 bytes.
struct scanned_block {
  // `scalars` are the bytes of numbers and literals, and `after_scalars` those behind a byte of them.
  uint64_t starts, kept, line_feeds, scalars, after_scalars, bad;
};

static inline struct scanned_block scan_block(const uint8_t *address, struct scan_state *state) {
  // White space equals the byte that its own low nibble looks up. So does a structural byte, once the bit is set in which { and [ differ.
  const block white_table = table(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0);
  const block structural_table = table(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0);
  block bytes = load(address);
  uint64_t bad = 0;

  uint64_t backslashes = equal(bytes, '\\');
  uint64_t escaped = escaped_bytes(backslashes, &state->escaped);
  uint64_t quotes = equal(bytes, '"') & ~escaped;
  uint64_t in_string = prefix_xor(quotes) ^ state->in_string;
  state->in_string = (uint64_t)((int64_t)in_string >> 63);
  if (escaped | state->unicode_escapes) bad |= bad_escapes(bytes, escaped, state);

  uint64_t controls = below_space(bytes);
  uint64_t white = equal_blocks(lookup(white_table, bytes), bytes);
  uint64_t structural = equal_blocks(lookup(structural_table, bytes), or_byte(bytes, 0x20)) & ~in_string;
  bad |= controls & (in_string | ~white);
  uint64_t line_feeds = equal(bytes, '\n'), separators = line_feeds & ~in_string & state->lines;
  white ^= separators;
  structural |= separators;

  uint64_t non_ascii = high_bits(bytes);
  if (non_ascii | state->non_ascii >> 61) {
    bad |= bad_utf8(bytes, state->bytes);
    state->non_ascii_bytes += (size_t)__builtin_popcountll(non_ascii);
  }
  state->non_ascii = non_ascii;
  state->bytes = bytes;

  uint64_t scalars = ~(in_string | quotes | structural | white), after_scalars = scalars << 1 | state->scalar;
  state->scalar = scalars >> 63;

  struct scanned_block result = {
      .starts = structural | (quotes & in_string) | (scalars & ~after_scalars),
      .kept = ~white | in_string,
      .line_feeds = line_feeds,
      .scalars = scalars,
      .after_scalars = after_scalars,
      .bad = bad,
  };
  return result;
}

// Where tokens begin, in 64 bytes.
struct token_starts {
  uint64_t bytes, tokens_before;
};

// The offset at which a token begins, in one of the `count` blocks.
static inline size_t token_offset(const struct token_starts *starts, size_t count, size_t token) {
  size_t low = 0;
  while (count - low > 1) {
    size_t middle = (low + count) / 2;
    if (starts[middle].tokens_before <= token) low = middle;
    else count = middle;
  }
  uint64_t bytes = starts[low].bytes;
  for (size_t before = starts[low].tokens_before; before < token; before++) bytes &= bytes - 1;
  return low * 64 + (size_t)__builtin_ctzll(bytes);
}

// Checks the order of `count` tokens, and of the comma or closing bracket after them. Returns whether it is right.
//
// A string is a key if a colon follows. Apart from that, the token before each one decides whether it may come. Only commas and closing
// brackets depend on the container: in an object, a key follows each comma; in an array, a value. The brackets are too irregular to be
// predicted, so the loop over them has no branches. Lines are taken as the elements of an array at depth 0, and the line feeds as its commas.
//
// `keys` gets tokens, not offsets.
static inline int follow(const uint8_t *first_bytes, size_t count, struct csimd_scan *scan) {
  uint64_t after_value = scan->last_token == CSIMD_VALUE, after_colon = scan->last_token == CSIMD_COLON;
  uint64_t after_comma = scan->last_token == CSIMD_COMMA, after_brace = scan->last_token == CSIMD_BRACE;
  uint64_t after_bracket = scan->last_token == CSIMD_BRACKET, after_key = 0;
  uint64_t kinds = scan->kinds, wrong = 0;
  uint32_t last_token = CSIMD_VALUE;
  int64_t depth = (int64_t)scan->depth, lowest = INT64_MAX, highest = depth;
  // The token that opened the last container at each depth.
  int32_t openings[64], last_key = -1;
  memset(openings, -1, sizeof openings);
  memset(scan->commas, 0, sizeof scan->commas);

  for (size_t word = 0; word <= count / 64; word++) {
    block bytes = load(first_bytes + 64 * word), folded = or_byte(bytes, 0x20);
    uint64_t colons = equal(bytes, ':'), line_feeds = equal(bytes, '\n'), commas = equal(bytes, ',') | line_feeds;
    uint64_t braces = equal(bytes, '{');
    uint64_t opening = equal(folded, '{'), closing = equal(folded, '}'), closing_braces = equal(bytes, '}');
    uint64_t keys = equal(bytes, '"') & equal(load(first_bytes + 64 * word + 1), ':');
    uint64_t scalars = ~(keys | colons | commas | opening | closing);
    uint64_t values = scalars | opening, value_ends = scalars | closing, brackets = opening & ~braces;
    // The token after the last one is checked, but not taken.
    uint64_t taken = word == count / 64 ? ((uint64_t)1 << (count & 63)) - 1 : UINT64_MAX;
    uint64_t checked = word == count / 64 ? taken << 1 | 1 : UINT64_MAX;

    uint64_t follows_value = value_ends << 1 | after_value, follows_colon = colons << 1 | after_colon;
    uint64_t follows_comma = commas << 1 | after_comma, follows_brace = braces << 1 | after_brace;
    uint64_t follows_bracket = brackets << 1 | after_bracket, follows_key = keys << 1 | after_key;
    wrong |= checked
        & ((colons & ~follows_key) | (keys & ~(follows_comma | follows_brace))
           | (values & ~(follows_colon | follows_comma | follows_bracket)) | (commas & ~follows_value)
           | (closing_braces & ~(follows_value | follows_brace))
           | (closing & ~closing_braces & ~(follows_value | follows_bracket)));
    after_value = value_ends >> 63;
    after_colon = colons >> 63;
    after_comma = commas >> 63;
    after_brace = braces >> 63;
    after_bracket = brackets >> 63;
    after_key = keys >> 63;
    if (word == count / 64) {
      last_token = follows_brace & ~taken & checked ? CSIMD_BRACE : follows_bracket & ~taken & checked ? CSIMD_BRACKET : CSIMD_VALUE;
    }

    // Keys that an array must not have, and elements that an object must not have.
    uint64_t members = keys & follows_comma & taken, elements = values & follows_comma & taken;
    uint64_t ends = (opening | closing) & taken, left = UINT64_MAX, any_braces = braces | closing_braces;

    // A container that has none in it is checked with all others of this kind: its brackets are neighbours among the brackets.
    uint64_t is_opening = _pext_u64(opening, ends), is_brace = _pext_u64(any_braces, ends);
    uint64_t innermost = is_opening & ~(is_opening >> 1) & ~(_pext_u64(~0ull, ends) ^ _pext_u64(~0ull, ends) >> 1);
    wrong |= innermost & (is_brace ^ is_brace >> 1);
    uint64_t objects = _pdep_u64(innermost & is_brace, ends), arrays = _pdep_u64(innermost & ~is_brace, ends);
    uint64_t in_objects = (_pdep_u64((innermost & is_brace) << 1, ends) - objects) ^ objects;
    uint64_t in_arrays = (_pdep_u64((innermost & ~is_brace) << 1, ends) - arrays) ^ arrays;
    wrong |= (elements & in_objects) | (members & in_arrays) | (line_feeds & (in_objects | in_arrays));
    uint64_t outside = ~(in_objects | in_arrays);
    elements &= outside;
    members &= outside;
    uint64_t own_commas = commas & ~line_feeds & outside;
    ends &= ~_pdep_u64(innermost | innermost << 1, ends);

    // The value of a document begins the scan, and continues behind it.
    if (word == 0 && scan->depth == 0 && !scan->takes_lines && !(ends & 1)) return 0;
    if (ends) last_key = -1;
    while (ends) {
      uint64_t end = ends & -ends;
      // The tokens after the last bracket, up to this one, are in one container.
      uint64_t part = left & (ends ^ (ends - 1));
      left ^= part;
      ends ^= end;
      wrong |= part & ((kinds & 1 ? elements : members) | (depth > 0 ? line_feeds : own_commas));
      scan->commas[depth & 63] += __builtin_popcountll(part & elements);
      scan->commas[(depth + 1) & 63] = 0;
      openings[(depth + 1) & 63] = (int32_t)(word * 64) + __builtin_ctzll(end);
      uint64_t brace = (any_braces & end) != 0;
      int opens = (opening & end) != 0;
      wrong |= opens ? 0 : (kinds ^ brace) & 1;
      kinds = opens ? kinds << 1 | brace : kinds >> 1;
      depth += opens ? 1 : -1;
      lowest = depth < lowest ? depth : lowest;
      highest = depth > highest ? depth : highest;
    }
    if (highest >= scan->max_depth) return 0;
    wrong |= left & ((kinds & 1 ? elements : members) | (taken & (depth > 0 ? line_feeds : own_commas)));
    scan->commas[depth & 63] += __builtin_popcountll(left & elements);
    uint64_t last_keys = left & keys & outside & taken;
    if (last_keys) last_key = (int32_t)(word * 64) + 63 - __builtin_clzll(last_keys);
  }
  // Behind the value of a document nothing may come.
  int64_t least = scan->takes_lines ? 0 : 1;
  if (wrong || depth < least || lowest < least) return 0;
  if (lowest > (int64_t)scan->depth) lowest = (int64_t)scan->depth;
  // Before a value that is a container come its key and a colon. One that began before the container at `depth` is not in it.
  for (int64_t level = lowest; level <= depth; level++) {
    int is_object = kinds >> (depth - level) & 1;
    int32_t opening_key = level < depth || openings[level + 1] > openings[level] ? openings[level + 1] - 2 : -1;
    int32_t key = level == depth && last_key >= 0 ? last_key : opening_key;
    scan->keys[level] = is_object && key >= 0 ? key : -1;
  }
  scan->depth = (uint64_t)depth;
  scan->lowest_depth = (uint64_t)lowest;
  scan->kinds = kinds;
  scan->last_token = last_token;
  return 1;
}

int csimd_is_dense(const uint8_t *input, size_t count) {
  size_t distance = count / 8 > 64 ? count / 8 : 64, bytes = 0, marks = 0, non_ascii = 0;
  for (size_t offset = 0; offset + 64 <= count; offset += distance) {
    block sample = load(input + offset);
    uint64_t marked = equal(sample, '"') | equal(sample, ',') | equal(sample, ':') | equal(or_byte(sample, 0x20), '}');
    marks += (size_t)__builtin_popcountll(marked);
    non_ascii += (size_t)__builtin_popcountll(high_bits(sample));
    bytes += 64;
  }
  // Strings have two quotes, and there are more tokens than others.
  return marks * (CSIMD_SCAN_SPARSE * 2 / 3) + non_ascii >= bytes;
}

void csimd_scan(const uint8_t *input, size_t count, uint8_t *output, struct csimd_scan *scan) {
  enum { blocks = CSIMD_SCAN_BYTES / 64 + 1 };
  // The first byte of each token, and all bytes of numbers and literals, each with a zero byte behind it.
  uint8_t first_bytes[CSIMD_SCAN_BYTES + 128], scalars[CSIMD_SCAN_BYTES + 128];
  struct token_starts starts[blocks];
  struct { uint64_t kept, line_feeds, written_before, line_feeds_before; } details[blocks];
  size_t tokens = 0, scalar_bytes = 0, written = 0, lines = 0, index = 0;
  scan->end = 0;
  struct scan_state state;
  memset(&state, 0, sizeof state);
  state.lines = scan->takes_lines ? UINT64_MAX : 0;

  for (; index * 64 < count; index++) {
    const uint8_t *address = input + index * 64;
    uint8_t tail[64];
    size_t left = count - index * 64;
    if (__builtin_expect(left < 64, 0)) {
      // Zero bytes are bad, so nothing counts from there on, and a number or a literal that is cut has no end.
      memset(tail, 0, sizeof tail);
      memcpy(tail, address, left);
      address = tail;
    }
    struct scanned_block scanned = scan_block(address, &state);
    uint64_t with_ends = scanned.scalars | scanned.after_scalars;
    // Nothing counts from the first bad byte on.
    if (__builtin_expect(scanned.bad != 0, 0)) {
      uint64_t good = (scanned.bad & -scanned.bad) - 1;
      scanned.starts &= good;
      with_ends &= good;
    }
    starts[index].bytes = scanned.starts;
    starts[index].tokens_before = tokens;
    details[index].kept = scanned.kept;
    details[index].line_feeds = scanned.line_feeds;
    details[index].written_before = written;
    details[index].line_feeds_before = lines;
    tokens += compress_few(first_bytes + tokens, load(address), scanned.starts);
    scalar_bytes += compress_few(scalars + scalar_bytes, _mm512_maskz_mov_epi8(scanned.scalars, load(address)), with_ends);
    compress(output + written, load(address), scanned.kept);
    written += (size_t)__builtin_popcountll(scanned.kept);
    lines += (size_t)__builtin_popcountll(scanned.line_feeds);
    if (__builtin_expect(scanned.bad != 0, 0)) {
      index++;
      break;
    }
  }

  while (tokens > 0 && first_bytes[tokens - 1] != ',' && (first_bytes[tokens - 1] | 0x20) != '}' && first_bytes[tokens - 1] != '\n') tokens--;
  store(scalars + scalar_bytes, splat('0'));
  if (tokens < 2 || !are_valid_scalars(scalars, scalar_bytes) || !follow(first_bytes, tokens - 1, scan)) return;
  scan->end = token_offset(starts, index, tokens - 1);
  scan->is_dense = tokens * CSIMD_SCAN_SPARSE + state.non_ascii_bytes >= scan->end;
  size_t last = scan->end / 64;
  uint64_t before_end = ((uint64_t)1 << scan->end % 64) - 1;
  scan->written = details[last].written_before + (size_t)__builtin_popcountll(details[last].kept & before_end);
  scan->line_feeds = details[last].line_feeds_before + (size_t)__builtin_popcountll(details[last].line_feeds & before_end);
  for (uint64_t level = scan->lowest_depth; level <= scan->depth; level++) {
    if (scan->keys[level] >= 0) scan->keys[level] = (int32_t)token_offset(starts, index, (size_t)scan->keys[level]);
  }
}

size_t csimd_copy_text_avx512(const uint8_t *input, size_t count, uint8_t *output) { return copy_text(input, count, output); }

#pragma clang attribute pop

#endif
