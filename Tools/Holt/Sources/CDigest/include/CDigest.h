// SHA-256: https://csrc.nist.gov/pubs/fips/180-4/upd1/final
#ifndef HOLT_CDIGEST_H
#define HOLT_CDIGEST_H

#include <stdint.h>

typedef struct {
  uint64_t parts[4];
  // Whether the file could be read to its end.
  int is_complete;
} holt_digest;

// Returns the digest of the rest of the file from the position of a descriptor.
holt_digest holt_digest_of(int descriptor);

#endif
