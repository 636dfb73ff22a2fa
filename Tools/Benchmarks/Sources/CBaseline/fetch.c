#include <stdlib.h>

#include "columns.h"
#include "engine.h"

int baseline_fetch_all(const char *path, uint64_t *sum) {
  sqlite3 *db = NULL;
  sqlite3_stmt *s = NULL;
  size_t count = 0, capacity = 0;
  baseline_row *rows = NULL;
  int rc = baseline_open(path, &db);
  *sum = 0;
  if (rc == SQLITE_OK) rc = sqlite3_prepare_v2(db, "SELECT * FROM item", -1, &s, NULL);
  while (rc == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW) {
    if (count == capacity) {
      capacity = capacity ? capacity * 2 : 64;
      rows = realloc(rows, capacity * sizeof(baseline_row));
    }
    baseline_read_row(s, &rows[count++]);
  }
  if (rc == SQLITE_OK) rc = sqlite3_finalize(s);
  for (size_t i = 0; i < count; i++) {
    *sum += baseline_row_checksum(&rows[i]);
    baseline_free_row(&rows[i]);
  }
  free(rows);
  sqlite3_close(db);
  return rc;
}

int baseline_step_all(const char *path) {
  sqlite3 *db = NULL;
  sqlite3_stmt *s = NULL;
  int rc = baseline_open(path, &db);
  if (rc == SQLITE_OK) rc = sqlite3_prepare_v2(db, "SELECT * FROM item", -1, &s, NULL);
  if (rc == SQLITE_OK) {
    while (sqlite3_step(s) == SQLITE_ROW) continue;
    rc = sqlite3_finalize(s);
  }
  sqlite3_close(db);
  return rc;
}

sqlite3_stmt *baseline_open_all(const char *path) {
  sqlite3 *db = NULL;
  sqlite3_stmt *s = NULL;
  int rc = baseline_open(path, &db);
  if (rc == SQLITE_OK) rc = sqlite3_prepare_v2(db, "SELECT * FROM item", -1, &s, NULL);
  if (rc != SQLITE_OK) sqlite3_close(db);
  return s;
}

void baseline_close_all(sqlite3_stmt *s) {
  sqlite3 *db = sqlite3_db_handle(s);
  sqlite3_finalize(s);
  sqlite3_close(db);
}
