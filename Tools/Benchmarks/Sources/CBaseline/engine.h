// What the files of the baseline share.
#ifndef HOLT_BASELINE_ENGINE_H
#define HOLT_BASELINE_ENGINE_H

#include <sqlite3.h>
#include <stdint.h>

#include "baseline.h"

// The next number of a sequence that the same seed always makes.
uint64_t baseline_mix(uint64_t *state);

// A file as all contestants have it: a write-ahead log, `synchronous = NORMAL`, no mutex of SQLite's.
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
// What a checksum takes of each row: every contestant's is the same.
uint64_t baseline_row_checksum(const baseline_row *row);

#endif
