// Streaming compression from one open file to another, in a bounded amount of memory.
#ifndef HOLT_CCOMPRESSION_H
#define HOLT_CCOMPRESSION_H

typedef enum { HOLT_GZIP, HOLT_ZSTD, HOLT_BZIP2 } holt_compression;

typedef enum {
  HOLT_COMPRESSION_SUCCEEDED,
  HOLT_COMPRESSION_CANT_READ,
  HOLT_COMPRESSION_CANT_WRITE,
  HOLT_COMPRESSION_IS_MALFORMED,
  HOLT_COMPRESSION_IS_TRUNCATED,
  HOLT_COMPRESSION_NEEDS_MEMORY,
} holt_compression_result;

// Decompress or compress the rest of the file from the position of the descriptor `from`, and write the result to the
// descriptor `to`.
// Several compressed parts in sequence are decompressed as one.
holt_compression_result holt_decompress(holt_compression kind, int from, int to);
holt_compression_result holt_compress(holt_compression kind, int from, int to);

#endif
