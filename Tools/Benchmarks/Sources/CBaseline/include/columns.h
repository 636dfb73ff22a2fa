// Inline access to the columns of the rows of `baseline_open_all`, so that Swift calls SQLite
// directly.
#ifndef HOLT_BASELINE_COLUMNS_H
#define HOLT_BASELINE_COLUMNS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

// Returns a statement for all rows on a new connection; `NULL` on failure.
sqlite3_stmt *baseline_open_all(const char *path);
// Closes the statement and its connection.
void baseline_close_all(sqlite3_stmt *s);

static inline bool baseline_step(sqlite3_stmt *s) { return sqlite3_step(s) == SQLITE_ROW; }

static inline bool baseline_is_null(sqlite3_stmt *s, int column) {
  return sqlite3_column_type(s, column) == SQLITE_NULL;
}

static inline int64_t baseline_integer(sqlite3_stmt *s, int column) {
  return sqlite3_column_int64(s, column);
}

static inline double baseline_real(sqlite3_stmt *s, int column) {
  return sqlite3_column_double(s, column);
}

static inline const unsigned char *baseline_text_at(sqlite3_stmt *s, int column) {
  return sqlite3_column_text(s, column);
}

static inline const void *baseline_blob_at(sqlite3_stmt *s, int column) {
  return sqlite3_column_blob(s, column);
}

static inline int baseline_size(sqlite3_stmt *s, int column) {
  return sqlite3_column_bytes(s, column);
}

#endif
