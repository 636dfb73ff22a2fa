#include "buffers.h"

#include <bzlib.h>

holt_compression_result holt_bunzip2(holt_buffers *buffers) {
  bz_stream stream = {0};
  if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) return HOLT_COMPRESSION_NEEDS_MEMORY;
  holt_compression_result result = HOLT_COMPRESSION_SUCCEEDED;
  int is_at_end = 0, is_full = 0;
  while (result == HOLT_COMPRESSION_SUCCEEDED) {
    if (stream.avail_in == 0 && !is_full) {
      ptrdiff_t count = holt_fill(buffers);
      if (count < 0) result = HOLT_COMPRESSION_CANT_READ;
      if (count == 0 && !is_at_end) result = HOLT_COMPRESSION_IS_TRUNCATED;
      if (count <= 0) break;
      stream.next_in = (char *)buffers->input;
      stream.avail_in = (unsigned)count;
    }
    if (is_at_end) {
      // Another part follows.
      char *next_in = stream.next_in;
      unsigned avail_in = stream.avail_in;
      BZ2_bzDecompressEnd(&stream);
      stream = (bz_stream){0};
      if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) return HOLT_COMPRESSION_NEEDS_MEMORY;
      stream.next_in = next_in;
      stream.avail_in = avail_in;
      is_at_end = 0;
    }
    stream.next_out = (char *)buffers->output;
    stream.avail_out = HOLT_BUFFER_SIZE;
    int code = BZ2_bzDecompress(&stream);
    if (code == BZ_STREAM_END) {
      is_at_end = 1;
    } else if (code == BZ_MEM_ERROR) {
      result = HOLT_COMPRESSION_NEEDS_MEMORY;
    } else if (code != BZ_OK) {
      result = HOLT_COMPRESSION_IS_MALFORMED;
    }
    is_full = stream.avail_out == 0 && !is_at_end;
    if (!holt_flush(buffers, HOLT_BUFFER_SIZE - stream.avail_out)) result = HOLT_COMPRESSION_CANT_WRITE;
  }
  BZ2_bzDecompressEnd(&stream);
  return result;
}

holt_compression_result holt_bzip2(holt_buffers *buffers) {
  bz_stream stream = {0};
  if (BZ2_bzCompressInit(&stream, 9, 0, 0) != BZ_OK) return HOLT_COMPRESSION_NEEDS_MEMORY;
  holt_compression_result result = HOLT_COMPRESSION_SUCCEEDED;
  int code = BZ_RUN_OK;
  while (result == HOLT_COMPRESSION_SUCCEEDED && code != BZ_STREAM_END) {
    ptrdiff_t count = holt_fill(buffers);
    if (count < 0) {
      result = HOLT_COMPRESSION_CANT_READ;
      break;
    }
    stream.next_in = (char *)buffers->input;
    stream.avail_in = (unsigned)count;
    do {
      stream.next_out = (char *)buffers->output;
      stream.avail_out = HOLT_BUFFER_SIZE;
      code = BZ2_bzCompress(&stream, count == 0 ? BZ_FINISH : BZ_RUN);
      if (code < 0) result = HOLT_COMPRESSION_NEEDS_MEMORY;
      else if (!holt_flush(buffers, HOLT_BUFFER_SIZE - stream.avail_out)) result = HOLT_COMPRESSION_CANT_WRITE;
    } while (result == HOLT_COMPRESSION_SUCCEEDED && (count == 0 ? code != BZ_STREAM_END : stream.avail_in > 0));
  }
  BZ2_bzCompressEnd(&stream);
  return result;
}
