#include "buffers.h"

#include <stdlib.h>

typedef holt_compression_result holt_run(holt_buffers *);

static holt_compression_result run(holt_run *run, int from, int to) {
  holt_buffers *buffers = malloc(sizeof *buffers);
  if (!buffers) return HOLT_COMPRESSION_NEEDS_MEMORY;
  buffers->from = from;
  buffers->to = to;
  holt_compression_result result = run(buffers);
  free(buffers);
  return result;
}

holt_compression_result holt_decompress(holt_compression kind, int from, int to) {
  static holt_run *const runs[] = {holt_gunzip, holt_unzstd, holt_bunzip2};
  return run(runs[kind], from, to);
}

holt_compression_result holt_compress(holt_compression kind, int from, int to) {
  static holt_run *const runs[] = {holt_gzip, holt_zstd, holt_bzip2};
  return run(runs[kind], from, to);
}
