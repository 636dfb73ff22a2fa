#include "engine.h"

#include <stdlib.h>
#include <string.h>

int baseline_run(sqlite3 *db, const char *sql) { return sqlite3_exec(db, sql, NULL, NULL, NULL); }

int baseline_open(const char *path, sqlite3 **db) {
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  int rc = sqlite3_open_v2(path, db, flags, NULL);
  if (rc == SQLITE_OK) rc = sqlite3_busy_timeout(*db, 5000);
  if (rc == SQLITE_OK) {
    rc = baseline_run(*db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  }
  return rc;
}

static char *copy(const void *bytes, int count) {
  char *text = malloc((size_t)count + 1);
  if (count) memcpy(text, bytes, (size_t)count);
  text[count] = 0;
  return text;
}

static char *text_column(sqlite3_stmt *s, int column) {
  const unsigned char *text = sqlite3_column_text(s, column);
  return copy(text, sqlite3_column_bytes(s, column));
}

void baseline_read_row(sqlite3_stmt *s, baseline_row *row) {
  row->id = sqlite3_column_int64(s, 0);
  row->a = sqlite3_column_int64(s, 1);
  row->b = sqlite3_column_int64(s, 2);
  row->x = sqlite3_column_double(s, 3);
  row->y_is_null = sqlite3_column_type(s, 4) == SQLITE_NULL;
  row->y = row->y_is_null ? 0 : sqlite3_column_double(s, 4);
  row->name = text_column(s, 5);
  row->title = text_column(s, 6);
  row->note = sqlite3_column_type(s, 7) == SQLITE_NULL ? NULL : text_column(s, 7);
  row->flag = sqlite3_column_int(s, 8);
  const void *data = sqlite3_column_blob(s, 9);
  row->data_size = sqlite3_column_bytes(s, 9);
  row->data = (unsigned char *)copy(data, row->data_size);
}

void baseline_free_row(baseline_row *row) {
  free(row->name);
  free(row->title);
  free(row->note);
  free(row->data);
}

uint64_t baseline_row_checksum(const baseline_row *row) {
  return (uint64_t)row->id + (uint64_t)row->a + (uint64_t)row->b + (uint64_t)row->x
    + (row->y_is_null ? 1 : (uint64_t)row->y) + strlen(row->name) + strlen(row->title)
    + (row->note ? strlen(row->note) : 1) + (uint64_t)row->flag + (uint64_t)row->data[0]
    + (uint64_t)row->data_size;
}
