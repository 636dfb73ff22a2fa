// Finds the special bytes of delimited text, 64 bytes at a time. Bit i of a result stands for byte i.
#ifndef HOLT_CFILES_DELIMITERS_H
#define HOLT_CFILES_DELIMITERS_H

#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

// The bytes to find. An escape that has no special meaning repeats the byte before it; a quote that has none is 0.
typedef struct {
  uint8_t delimiter, escape, quote, quoted_escape;
} holt_delimiters;

// Zero bytes are found both outside and inside quotes.
typedef struct {
  // Delimiters, line breaks and escapes.
  uint64_t unquoted;
  // Quotes and escapes.
  uint64_t quoted;
  // Bytes that are not ASCII.
  uint64_t high;
} holt_delimiter_bits;

#if defined(__ARM_NEON) && defined(__aarch64__)
static inline uint64_t holt_delimiter_mask(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d) {
  const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16_t low = vpaddq_u8(vandq_u8(a, weights), vandq_u8(b, weights));
  uint8x16_t high = vpaddq_u8(vandq_u8(c, weights), vandq_u8(d, weights));
  low = vpaddq_u8(low, high);
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(low, low)), 0);
}
#endif

static inline holt_delimiter_bits holt_find_delimiters(const uint8_t *bytes, holt_delimiters find) {
  holt_delimiter_bits bits = {0, 0, 0};
#if defined(__SSE2__)
  const __m128i delimiter = _mm_set1_epi8((char)find.delimiter), escape = _mm_set1_epi8((char)find.escape);
  const __m128i quote = _mm_set1_epi8((char)find.quote), quoted_escape = _mm_set1_epi8((char)find.quoted_escape);
  const __m128i lf = _mm_set1_epi8('\n'), cr = _mm_set1_epi8('\r'), zero = _mm_setzero_si128();
  for (int i = 0; i < 64; i += 16) {
    const __m128i text = _mm_loadu_si128((const __m128i *)(bytes + i));
    const __m128i zeros = _mm_cmpeq_epi8(text, zero);
    const __m128i breaks = _mm_or_si128(_mm_cmpeq_epi8(text, lf), _mm_cmpeq_epi8(text, cr));
    const __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(text, delimiter), _mm_cmpeq_epi8(text, escape));
    const __m128i quotes = _mm_or_si128(_mm_cmpeq_epi8(text, quote), _mm_cmpeq_epi8(text, quoted_escape));
    const __m128i unquoted = _mm_or_si128(_mm_or_si128(breaks, ends), zeros);
    bits.unquoted |= (uint64_t)(uint16_t)_mm_movemask_epi8(unquoted) << i;
    bits.quoted |= (uint64_t)(uint16_t)_mm_movemask_epi8(_mm_or_si128(quotes, zeros)) << i;
    bits.high |= (uint64_t)(uint16_t)_mm_movemask_epi8(text) << i;
  }
#elif defined(__ARM_NEON) && defined(__aarch64__)
  const uint8x16_t delimiter = vdupq_n_u8(find.delimiter), escape = vdupq_n_u8(find.escape);
  const uint8x16_t quote = vdupq_n_u8(find.quote), quoted_escape = vdupq_n_u8(find.quoted_escape);
  const uint8x16_t lf = vdupq_n_u8('\n'), cr = vdupq_n_u8('\r'), ascii = vdupq_n_u8(0x7f);
  uint8x16_t unquoted[4], quoted[4], high[4];
  for (int i = 0; i < 4; i++) {
    const uint8x16_t text = vld1q_u8(bytes + 16 * i), zeros = vceqzq_u8(text);
    const uint8x16_t breaks = vorrq_u8(vceqq_u8(text, lf), vceqq_u8(text, cr));
    const uint8x16_t ends = vorrq_u8(vceqq_u8(text, delimiter), vceqq_u8(text, escape));
    const uint8x16_t quotes = vorrq_u8(vceqq_u8(text, quote), vceqq_u8(text, quoted_escape));
    unquoted[i] = vorrq_u8(vorrq_u8(breaks, ends), zeros);
    quoted[i] = vorrq_u8(quotes, zeros);
    high[i] = vcgtq_u8(text, ascii);
  }
  bits.unquoted = holt_delimiter_mask(unquoted[0], unquoted[1], unquoted[2], unquoted[3]);
  bits.quoted = holt_delimiter_mask(quoted[0], quoted[1], quoted[2], quoted[3]);
  bits.high = holt_delimiter_mask(high[0], high[1], high[2], high[3]);
#else
  for (int i = 0; i < 64; i++) {
    const uint8_t byte = bytes[i];
    const int ends = byte == find.delimiter || byte == find.escape || byte == '\n' || byte == '\r';
    const int quotes = byte == find.quote || byte == find.quoted_escape;
    bits.unquoted |= (uint64_t)(ends || byte == 0) << i;
    bits.quoted |= (uint64_t)(quotes || byte == 0) << i;
    bits.high |= (uint64_t)(byte >> 7) << i;
  }
#endif
  return bits;
}

#endif
