#ifndef HOLT_CCOMPRESSION_BUFFERS_H
#define HOLT_CCOMPRESSION_BUFFERS_H

#include "CCompression.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

enum { HOLT_BUFFER_SIZE = 1 << 16 };

typedef struct {
  int from, to;
  unsigned char input[HOLT_BUFFER_SIZE], output[HOLT_BUFFER_SIZE];
} holt_buffers;

// Returns the number of bytes read, 0 at the end, or -1.
static inline ptrdiff_t holt_fill(holt_buffers *buffers) {
  ptrdiff_t count;
  do {
    count = read(buffers->from, buffers->input, HOLT_BUFFER_SIZE);
  } while (count < 0 && errno == EINTR);
  return count;
}

// Returns whether the first bytes of the output were written.
static inline int holt_flush(const holt_buffers *buffers, size_t size) {
  const unsigned char *next = buffers->output;
  while (size > 0) {
    ptrdiff_t count = write(buffers->to, next, size);
    if (count < 0) {
      if (errno == EINTR) continue;
      return 0;
    }
    next += count;
    size -= (size_t)count;
  }
  return 1;
}

holt_compression_result holt_gunzip(holt_buffers *);
holt_compression_result holt_gzip(holt_buffers *);
holt_compression_result holt_unzstd(holt_buffers *);
holt_compression_result holt_zstd(holt_buffers *);
holt_compression_result holt_bunzip2(holt_buffers *);
holt_compression_result holt_bzip2(holt_buffers *);

#endif
