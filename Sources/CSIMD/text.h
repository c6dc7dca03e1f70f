// Text of strings, in blocks as wide as the including file's `block`. That file defines `load`, `lookup` and so on before.

// The bytes at which UTF-8 is not valid, as in Keiser and Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte". Nibbles of two
// neighbouring bytes are looked up. Each table has a bit for every error that its nibble allows.
static inline uint64_t bad_utf8(block bytes, block before) {
  enum {
    too_short = 1, too_long = 2, overlong_3 = 4, too_large = 8, surrogate = 16, overlong_2 = 32, too_large_1000 = 64,
    overlong_4 = 64, two_continuations = 128, any_low = too_short | too_long | two_continuations,
  };
  const block first_high = table(
      too_long, too_long, too_long, too_long, too_long, too_long, too_long, too_long, two_continuations, two_continuations,
      two_continuations, two_continuations, too_short | overlong_2, too_short, too_short | overlong_3 | surrogate,
      too_short | too_large | too_large_1000 | overlong_4);
  const block first_low = table(
      any_low | overlong_3 | overlong_2 | overlong_4, any_low | overlong_2, any_low, any_low, any_low | too_large,
      any_low | too_large | too_large_1000, any_low | too_large | too_large_1000, any_low | too_large | too_large_1000,
      any_low | too_large | too_large_1000, any_low | too_large | too_large_1000, any_low | too_large | too_large_1000,
      any_low | too_large | too_large_1000, any_low | too_large | too_large_1000,
      any_low | too_large | too_large_1000 | surrogate, any_low | too_large | too_large_1000,
      any_low | too_large | too_large_1000);
  const block second_high = table(
      too_short, too_short, too_short, too_short, too_short, too_short, too_short, too_short,
      too_long | overlong_2 | two_continuations | overlong_3 | too_large_1000 | overlong_4,
      too_long | overlong_2 | two_continuations | overlong_3 | too_large, too_long | overlong_2 | two_continuations | surrogate | too_large,
      too_long | overlong_2 | two_continuations | surrogate | too_large, too_short, too_short, too_short, too_short);
  block one = earlier(bytes, before, 1);
  block errors = and_blocks(
      and_blocks(lookup(first_high, high_nibbles(one)), lookup(first_low, low_nibbles(one))),
      lookup(second_high, high_nibbles(bytes)));
  // Where a third or fourth byte must come, two continuation bytes follow each other, and only there.
  block third = subtract_saturating(earlier(bytes, before, 2), 0xE0 - 0x80);
  block fourth = subtract_saturating(earlier(bytes, before, 3), 0xF0 - 0x80);
  block wanted = and_blocks(or_blocks(third, fourth), splat(0x80));
  return nonzero_bytes(xor_blocks(errors, wanted));
}

// Copies text as `csimd_copy_text` says, a block at a time.
static inline size_t copy_text(const uint8_t *input, size_t count, uint8_t *output) {
  block before = splat(0);
  size_t taken = 0;
  for (; count - taken >= sizeof(block); taken += sizeof(block)) {
    block bytes = load(input + taken);
    store(output + taken, bytes);
    uint64_t stops = text_stops(bytes);
    uint64_t bad = bad_utf8(bytes, before);
    if (stops | bad) {
      // The byte that stops the text shows whether the character before it is complete.
      if (stops && !(bad & (stops ^ (stops - 1)))) return taken + (size_t)__builtin_ctzll(stops);
      break;
    }
    before = bytes;
  }
  // Without the first bytes of a character that was cut.
  for (size_t length = 1; length <= 3 && length <= taken; length++) {
    uint8_t byte = input[taken - length];
    if (byte >= 0xC0) return byte >= (length == 1 ? 0xC0 : length == 2 ? 0xE0 : 0xF0) ? taken - length : taken;
  }
  return taken;
}
