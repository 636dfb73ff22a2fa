#include <string.h>

#include "engine.h"

static const char *const schema =
  "CREATE TABLE Entry (id INTEGER PRIMARY KEY, name TEXT NOT NULL, title TEXT NOT NULL,"
  " price REAL NOT NULL, weight REAL, enabled BOOLEAN NOT NULL, added DATE NOT NULL, note TEXT)";
static const char *const insert_sql = "INSERT INTO Entry VALUES (?,?,?,?,?,?,?,?)";

static void put_digits(char *at, int64_t number) {
  at[0] = (char)('0' + number / 10);
  at[1] = (char)('0' + number % 10);
}

// Writes the date of a second, counted from the beginning of January 2026.
static void write_date(char *date, int64_t second) {
  memcpy(date, "2026-01-00 00:00:00", 20);
  put_digits(date + 8, 1 + second / 86400 % 31);
  put_digits(date + 11, second / 3600 % 24);
  put_digits(date + 14, second / 60 % 60);
  put_digits(date + 17, second % 60);
}

static int bind_entry(sqlite3_stmt *s, const baseline_item *item, char *date) {
  write_date(date, item->id);
  sqlite3_bind_int64(s, 1, item->id);
  sqlite3_bind_text(s, 2, item->name, (int)strlen(item->name), SQLITE_STATIC);
  sqlite3_bind_text(s, 3, item->title, 40, SQLITE_STATIC);
  sqlite3_bind_double(s, 4, item->x);
  if (item->y_is_null) sqlite3_bind_null(s, 5);
  else sqlite3_bind_double(s, 5, item->y);
  sqlite3_bind_int(s, 6, item->flag);
  sqlite3_bind_text(s, 7, date, 19, SQLITE_STATIC);
  if (item->note_is_null) return sqlite3_bind_null(s, 8);
  return sqlite3_bind_text(s, 8, item->note, 20, SQLITE_STATIC);
}

int baseline_insert_entries(
  const char *path, const baseline_item *items, size_t count, uint64_t *sum) {
  sqlite3 *db = NULL;
  sqlite3_stmt *s = NULL;
  char date[20];
  int rc = baseline_open(path, &db);
  *sum = 0;
  if (rc == SQLITE_OK) rc = baseline_run(db, "DROP TABLE IF EXISTS Entry");
  if (rc == SQLITE_OK) rc = baseline_run(db, schema);
  if (rc == SQLITE_OK) rc = baseline_run(db, "BEGIN IMMEDIATE");
  if (rc == SQLITE_OK) rc = sqlite3_prepare_v2(db, insert_sql, -1, &s, NULL);
  for (size_t i = 0; rc == SQLITE_OK && i < count; i++) {
    rc = bind_entry(s, &items[i], date);
    if (rc == SQLITE_OK && sqlite3_step(s) != SQLITE_DONE) rc = SQLITE_ERROR;
    sqlite3_reset(s);
  }
  *sum = (uint64_t)count + (uint64_t)sqlite3_last_insert_rowid(db);
  sqlite3_finalize(s);
  if (rc == SQLITE_OK) rc = baseline_run(db, "COMMIT");
  sqlite3_close(db);
  return rc;
}
