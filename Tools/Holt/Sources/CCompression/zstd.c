#include "buffers.h"

#include <zstd.h>

holt_compression_result holt_unzstd(holt_buffers *buffers) {
  // The library limits the memory of a frame to 128 MB.
  ZSTD_DStream *stream = ZSTD_createDStream();
  if (!stream) return HOLT_COMPRESSION_NEEDS_MEMORY;
  holt_compression_result result = HOLT_COMPRESSION_SUCCEEDED;
  size_t expected = 1;
  for (;;) {
    ptrdiff_t count = holt_fill(buffers);
    if (count < 0) result = HOLT_COMPRESSION_CANT_READ;
    if (count == 0 && expected != 0) result = HOLT_COMPRESSION_IS_TRUNCATED;
    if (count <= 0) break;
    ZSTD_inBuffer input = {buffers->input, (size_t)count, 0};
    int is_full = 0;
    while (result == HOLT_COMPRESSION_SUCCEEDED && (input.pos < input.size || is_full)) {
      ZSTD_outBuffer output = {buffers->output, HOLT_BUFFER_SIZE, 0};
      expected = ZSTD_decompressStream(stream, &output, &input);
      if (ZSTD_isError(expected)) result = HOLT_COMPRESSION_IS_MALFORMED;
      else if (!holt_flush(buffers, output.pos)) result = HOLT_COMPRESSION_CANT_WRITE;
      is_full = output.pos == output.size;
    }
    if (result != HOLT_COMPRESSION_SUCCEEDED) break;
  }
  ZSTD_freeDStream(stream);
  return result;
}

holt_compression_result holt_zstd(holt_buffers *buffers) {
  ZSTD_CStream *stream = ZSTD_createCStream();
  if (!stream) return HOLT_COMPRESSION_NEEDS_MEMORY;
  holt_compression_result result = HOLT_COMPRESSION_SUCCEEDED;
  ptrdiff_t count = 1;
  while (result == HOLT_COMPRESSION_SUCCEEDED && count > 0) {
    count = holt_fill(buffers);
    if (count < 0) {
      result = HOLT_COMPRESSION_CANT_READ;
      break;
    }
    ZSTD_inBuffer input = {buffers->input, (size_t)count, 0};
    size_t rest;
    do {
      ZSTD_outBuffer output = {buffers->output, HOLT_BUFFER_SIZE, 0};
      rest = ZSTD_compressStream2(stream, &output, &input, count == 0 ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(rest)) result = HOLT_COMPRESSION_NEEDS_MEMORY;
      else if (!holt_flush(buffers, output.pos)) result = HOLT_COMPRESSION_CANT_WRITE;
    } while (result == HOLT_COMPRESSION_SUCCEEDED && (count == 0 ? rest != 0 : input.pos < input.size));
  }
  ZSTD_freeCStream(stream);
  return result;
}
