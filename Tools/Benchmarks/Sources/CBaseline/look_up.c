#include "engine.h"

static const char *const look_up_sql = "SELECT * FROM item WHERE id = ?";

// Runs one lookup. For the lower bound, it reads no column.
static int look_up(sqlite3_stmt *s, int64_t key, baseline_lookup how, uint64_t *sum) {
  sqlite3_bind_int64(s, 1, key);
  if (sqlite3_step(s) == SQLITE_ROW && how != BASELINE_STEP_ALONE) {
    baseline_row row;
    baseline_read_row(s, &row);
    *sum += baseline_row_checksum(&row);
    baseline_free_row(&row);
  }
  return sqlite3_reset(s);
}

int baseline_look_up(
  const char *path, size_t rows, size_t lookups, baseline_lookup how, uint64_t *sum) {
  sqlite3 *db = NULL;
  sqlite3_stmt *s = NULL;
  int rc = baseline_open(path, &db);
  *sum = 0;
  if (rc == SQLITE_OK && how == BASELINE_IN_ONE_TRANSACTION) rc = baseline_run(db, "BEGIN");
  for (size_t i = 0; rc == SQLITE_OK && i < lookups; i++) {
    if (!s) rc = sqlite3_prepare_v2(db, look_up_sql, -1, &s, NULL);
    if (rc == SQLITE_OK) rc = look_up(s, baseline_key(i, rows), how, sum);
    if (how == BASELINE_COMPILED_EACH_TIME) {
      sqlite3_finalize(s);
      s = NULL;
    }
  }
  sqlite3_finalize(s);
  if (rc == SQLITE_OK && how == BASELINE_IN_ONE_TRANSACTION) rc = baseline_run(db, "COMMIT");
  sqlite3_close(db);
  return rc;
}
