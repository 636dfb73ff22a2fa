// UTF-8 validation as defined by the Unicode Standard (chapter 3.9, table 3-7).
//
// The standard library validates one scalar after the other, with a branch misprediction at each
// scalar of unexpected length. Here 16 bytes are compared with the three bytes before each, without
// branches.
#ifndef HOLT_CSQLITE_UTF8_H
#define HOLT_CSQLITE_UTF8_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum { HOLT_NOT_UTF8, HOLT_UTF8, HOLT_ASCII } holt_encoding;

typedef uint8_t holt_bytes __attribute__((vector_size(16)));

static inline holt_bytes holt_load(const uint8_t *from) {
  holt_bytes bytes;
  memcpy(&bytes, from, sizeof bytes);
  return bytes;
}

static inline uint64_t holt_load_8(const uint8_t *from) {
  uint64_t bytes;
  memcpy(&bytes, from, sizeof bytes);
  return bytes;
}

static inline uint64_t holt_load_4(const uint8_t *from) {
  uint32_t bytes;
  memcpy(&bytes, from, sizeof bytes);
  return bytes;
}

static inline int holt_has_bits(holt_bytes bytes, uint64_t mask) {
  uint64_t halves[2];
  memcpy(halves, &bytes, sizeof halves);
  return ((halves[0] | halves[1]) & mask) != 0;
}

#define HOLT_HIGH_BITS UINT64_C(0x8080808080808080)

// Returns a nonzero byte for each of 16 bytes that is invalid at its position. The three bytes
// before `at` are read as well.
static inline holt_bytes holt_misplaced(const uint8_t *at) {
  const holt_bytes b = holt_load(at), first = holt_load(at - 1);
  const holt_bytes second = holt_load(at - 2), third = holt_load(at - 3);
  // A byte must be a continuation byte exactly if one of the bytes before it requires one.
  const holt_bytes continues = (holt_bytes)((b & 0xc0) == 0x80);
  const holt_bytes expected =
    (holt_bytes)(first >= 0xc0) | (holt_bytes)(second >= 0xe0) | (holt_bytes)(third >= 0xf0);
  // Overlong forms, surrogates, and scalars greater than U+10FFFF, which are determined by the
  // second byte.
  const holt_bytes low = (holt_bytes)(b < 0xa0), lower = (holt_bytes)(b < 0x90);
  const holt_bytes wrong =
    ((holt_bytes)(first == 0xe0) & low) | ((holt_bytes)(first == 0xed) & ~low)
    | ((holt_bytes)(first == 0xf0) & lower) | ((holt_bytes)(first == 0xf4) & ~lower);
  // Bytes that never start a scalar.
  const holt_bytes never = (holt_bytes)((b & 0xfe) == 0xc0) | (holt_bytes)(b >= 0xf5);
  return (continues ^ expected) | wrong | never;
}

// Checks bytes that follow ASCII only.
__attribute__((noinline)) static inline holt_encoding holt_check_letters(
  const uint8_t *bytes, size_t count) {
  // Zeros before the first bytes and after the last ones, so that a truncated scalar is detected.
  uint8_t edge[40] = {0};
  size_t done = count < 16 ? count : 16;
  memcpy(edge + 8, bytes, done);
  holt_bytes misplaced = holt_misplaced(edge + 8);
  while (count - done >= 64) {
    const uint8_t *at = bytes + done;
    const holt_bytes any = holt_load(at - 16) | holt_load(at) | holt_load(at + 16)
      | holt_load(at + 32) | holt_load(at + 48);
    if (holt_has_bits(any, HOLT_HIGH_BITS)) {
      misplaced |= holt_misplaced(at) | holt_misplaced(at + 16) | holt_misplaced(at + 32)
        | holt_misplaced(at + 48);
    }
    done += 64;
  }
  for (; count - done >= 16; done += 16) misplaced |= holt_misplaced(bytes + done);
  if (count >= 16) {
    memset(edge, 0, sizeof edge);
    memcpy(edge + 5, bytes + done - 3, count - done + 3);
    misplaced |= holt_misplaced(edge + 8);
  }
  return holt_has_bits(misplaced, UINT64_MAX) ? HOLT_NOT_UTF8 : HOLT_UTF8;
}

// Bytes with all high bits of a text of up to 15 bytes.
static inline uint64_t holt_few_bytes(const uint8_t *bytes, size_t count) {
  if (count >= 8) return holt_load_8(bytes) | holt_load_8(bytes + count - 8);
  if (count >= 4) return holt_load_4(bytes) | holt_load_4(bytes + count - 4);
  if (count == 0) return 0;
  return bytes[0] | bytes[count / 2] | bytes[count - 1];
}

// Returns whether all bytes are UTF-8, and whether they are ASCII.
static inline holt_encoding holt_encoding_of(const uint8_t *bytes, size_t count) {
  size_t done = 0;
  for (; count - done >= 16; done += 16) {
    if (holt_has_bits(holt_load(bytes + done), HOLT_HIGH_BITS)) {
      return holt_check_letters(bytes + done, count - done);
    }
  }
  if ((holt_few_bytes(bytes + done, count - done) & HOLT_HIGH_BITS) == 0) return HOLT_ASCII;
  return holt_check_letters(bytes + done, count - done);
}

#endif
