#include "buffers.h"

#include <zlib.h>

holt_compression_result holt_gunzip(holt_buffers *buffers) {
  z_stream stream = {0};
  // 16 selects the gzip format.
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) return HOLT_COMPRESSION_NEEDS_MEMORY;
  holt_compression_result result = HOLT_COMPRESSION_SUCCEEDED;
  int is_at_end = 0, is_full = 0;
  while (result == HOLT_COMPRESSION_SUCCEEDED) {
    if (stream.avail_in == 0 && !is_full) {
      ptrdiff_t count = holt_fill(buffers);
      if (count < 0) result = HOLT_COMPRESSION_CANT_READ;
      if (count == 0 && !is_at_end) result = HOLT_COMPRESSION_IS_TRUNCATED;
      if (count <= 0) break;
      stream.next_in = buffers->input;
      stream.avail_in = (uInt)count;
    }
    if (is_at_end) {
      // Another part follows, or zeros that pad the file.
      while (stream.avail_in > 0 && *stream.next_in == 0) {
        stream.next_in++;
        stream.avail_in--;
      }
      if (stream.avail_in == 0) continue;
      is_at_end = 0;
      inflateReset(&stream);
    }
    stream.next_out = buffers->output;
    stream.avail_out = HOLT_BUFFER_SIZE;
    int code = inflate(&stream, Z_NO_FLUSH);
    if (code == Z_STREAM_END) {
      is_at_end = 1;
    } else if (code == Z_MEM_ERROR) {
      result = HOLT_COMPRESSION_NEEDS_MEMORY;
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      result = HOLT_COMPRESSION_IS_MALFORMED;
    }
    is_full = stream.avail_out == 0 && !is_at_end;
    if (!holt_flush(buffers, HOLT_BUFFER_SIZE - stream.avail_out)) result = HOLT_COMPRESSION_CANT_WRITE;
  }
  inflateEnd(&stream);
  return result;
}

holt_compression_result holt_gzip(holt_buffers *buffers) {
  z_stream stream = {0};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    return HOLT_COMPRESSION_NEEDS_MEMORY;
  }
  holt_compression_result result = HOLT_COMPRESSION_SUCCEEDED;
  int code = Z_OK;
  while (result == HOLT_COMPRESSION_SUCCEEDED && code != Z_STREAM_END) {
    ptrdiff_t count = holt_fill(buffers);
    if (count < 0) {
      result = HOLT_COMPRESSION_CANT_READ;
      break;
    }
    stream.next_in = buffers->input;
    stream.avail_in = (uInt)count;
    do {
      stream.next_out = buffers->output;
      stream.avail_out = HOLT_BUFFER_SIZE;
      code = deflate(&stream, count == 0 ? Z_FINISH : Z_NO_FLUSH);
      if (!holt_flush(buffers, HOLT_BUFFER_SIZE - stream.avail_out)) result = HOLT_COMPRESSION_CANT_WRITE;
    } while (result == HOLT_COMPRESSION_SUCCEEDED && stream.avail_out == 0);
  }
  deflateEnd(&stream);
  return result;
}
