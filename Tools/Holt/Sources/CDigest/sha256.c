#include "CDigest.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static const uint32_t constants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
};

static uint32_t rotated(uint32_t word, int count) { return word >> count | word << (32 - count); }

static void add_block(uint32_t state[8], const unsigned char *bytes) {
  uint32_t words[64], now[8];
  for (int i = 0; i < 16; i++) {
    words[i] = (uint32_t)bytes[4 * i] << 24 | (uint32_t)bytes[4 * i + 1] << 16 | (uint32_t)bytes[4 * i + 2] << 8
      | bytes[4 * i + 3];
  }
  for (int i = 16; i < 64; i++) {
    uint32_t a = words[i - 15], b = words[i - 2];
    words[i] = words[i - 16] + words[i - 7] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3)
      + (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
  }
  memcpy(now, state, sizeof now);
  for (int i = 0; i < 64; i++) {
    uint32_t first = now[7] + (rotated(now[4], 6) ^ rotated(now[4], 11) ^ rotated(now[4], 25))
      + ((now[4] & now[5]) ^ (~now[4] & now[6])) + constants[i] + words[i];
    uint32_t second = (rotated(now[0], 2) ^ rotated(now[0], 13) ^ rotated(now[0], 22))
      + ((now[0] & now[1]) ^ (now[0] & now[2]) ^ (now[1] & now[2]));
    memmove(now + 1, now, 7 * sizeof *now);
    now[4] += first;
    now[0] = first + second;
  }
  for (int i = 0; i < 8; i++) state[i] += now[i];
}

holt_digest holt_digest_of(int descriptor) {
  uint32_t state[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
  };
  unsigned char buffer[1 << 16];
  size_t kept = 0;
  uint64_t total = 0;
  ptrdiff_t count;
  for (;;) {
    count = read(descriptor, buffer + kept, sizeof buffer - kept);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    total += (uint64_t)count;
    size_t size = kept + (size_t)count, at = 0;
    for (; at + 64 <= size; at += 64) add_block(state, buffer + at);
    kept = size - at;
    memmove(buffer, buffer + at, kept);
  }
  // The padding: a bit, zeros, and the number of bits.
  buffer[kept++] = 0x80;
  size_t end = kept <= 56 ? 64 : 128;
  memset(buffer + kept, 0, end - kept);
  for (int i = 0; i < 8; i++) buffer[end - 1 - (size_t)i] = (unsigned char)(total * 8 >> (8 * i));
  for (size_t at = 0; at < end; at += 64) add_block(state, buffer + at);
  holt_digest digest = {.is_complete = count == 0};
  for (int i = 0; i < 4; i++) digest.parts[i] = (uint64_t)state[2 * i] << 32 | state[2 * i + 1];
  return digest;
}
