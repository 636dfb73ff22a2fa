#include <string.h>

#include "engine.h"

static const char *const schema =
  "CREATE TABLE item (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b INTEGER NOT NULL,"
  " x REAL NOT NULL, y REAL, name TEXT NOT NULL, title TEXT NOT NULL, note TEXT,"
  " flag INTEGER NOT NULL, data BLOB NOT NULL)";
static const char *const insert_sql = "INSERT INTO item VALUES (?,?,?,?,?,?,?,?,?,?)";

static int bind_item(sqlite3_stmt *s, const baseline_item *item) {
  sqlite3_bind_int64(s, 1, item->id);
  sqlite3_bind_int64(s, 2, item->a);
  sqlite3_bind_int64(s, 3, item->b);
  sqlite3_bind_double(s, 4, item->x);
  if (item->y_is_null) sqlite3_bind_null(s, 5);
  else sqlite3_bind_double(s, 5, item->y);
  sqlite3_bind_text(s, 6, item->name, (int)strlen(item->name), SQLITE_STATIC);
  sqlite3_bind_text(s, 7, item->title, 40, SQLITE_STATIC);
  if (item->note_is_null) sqlite3_bind_null(s, 8);
  else sqlite3_bind_text(s, 8, item->note, 20, SQLITE_STATIC);
  sqlite3_bind_int(s, 9, item->flag);
  return sqlite3_bind_blob(s, 10, item->data, 32, SQLITE_STATIC);
}

int baseline_insert(const char *path, const baseline_item *items, size_t count, uint64_t *sum) {
  sqlite3 *db = NULL;
  sqlite3_stmt *s = NULL;
  int rc = baseline_open(path, &db);
  *sum = 0;
  if (rc == SQLITE_OK) rc = baseline_run(db, "DROP TABLE IF EXISTS item");
  if (rc == SQLITE_OK) rc = baseline_run(db, schema);
  if (rc == SQLITE_OK) rc = baseline_run(db, "BEGIN IMMEDIATE");
  if (rc == SQLITE_OK) rc = sqlite3_prepare_v2(db, insert_sql, -1, &s, NULL);
  for (size_t i = 0; rc == SQLITE_OK && i < count; i++) {
    rc = bind_item(s, &items[i]);
    if (rc == SQLITE_OK && sqlite3_step(s) != SQLITE_DONE) rc = SQLITE_ERROR;
    sqlite3_reset(s);
  }
  *sum = (uint64_t)count + (uint64_t)sqlite3_last_insert_rowid(db);
  sqlite3_finalize(s);
  if (rc == SQLITE_OK) rc = baseline_run(db, "COMMIT");
  sqlite3_close(db);
  return rc;
}

int baseline_insert_singly(const char *path, size_t count, uint64_t *sum) {
  sqlite3 *db = NULL;
  sqlite3_stmt *s = NULL;
  int rc = baseline_open(path, &db);
  *sum = 0;
  if (rc == SQLITE_OK) {
    rc = baseline_run(
      db, "DROP TABLE IF EXISTS entry;"
      " CREATE TABLE entry (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, name TEXT NOT NULL)");
  }
  if (rc == SQLITE_OK) {
    rc = sqlite3_prepare_v2(db, "INSERT INTO entry (a, name) VALUES (?, ?)", -1, &s, NULL);
  }
  for (size_t i = 0; rc == SQLITE_OK && i < count; i++) {
    sqlite3_bind_int64(s, 1, (int64_t)i);
    sqlite3_bind_text(s, 2, "the name of an entry", -1, SQLITE_STATIC);
    if (sqlite3_step(s) != SQLITE_DONE) rc = SQLITE_ERROR;
    sqlite3_reset(s);
    *sum += (uint64_t)sqlite3_last_insert_rowid(db);
  }
  sqlite3_finalize(s);
  sqlite3_close(db);
  return rc;
}
