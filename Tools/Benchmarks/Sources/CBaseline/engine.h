// Functions shared by the files of the baseline.
#ifndef HOLT_BASELINE_ENGINE_H
#define HOLT_BASELINE_ENGINE_H

#include <sqlite3.h>
#include <stdint.h>

#include "baseline.h"

// Returns the next number of a deterministic pseudorandom sequence.
uint64_t baseline_mix(uint64_t *state);

// Opens a file with the settings of all implementations: a write-ahead log, `synchronous = NORMAL`,
// no SQLite mutexes.
int baseline_open(const char *path, sqlite3 **db);
int baseline_run(sqlite3 *db, const char *sql);

typedef struct {
  int64_t id, a, b;
  double x, y;
  int y_is_null, flag;
  char *name, *title, *note;
  unsigned char *data;
  int data_size;
} baseline_row;

void baseline_read_row(sqlite3_stmt *s, baseline_row *row);
void baseline_free_row(baseline_row *row);
// Returns a row's share of the checksum, which is the same for all implementations.
uint64_t baseline_row_checksum(const baseline_row *row);

#endif
