#include <stdio.h>
#include <stdlib.h>

#include "engine.h"

static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  char *bytes = NULL;
  if (fseek(file, 0, SEEK_END) == 0) {
    long length = ftell(file);
    rewind(file);
    if (length > 0) bytes = malloc((size_t)length);
    if (bytes && fread(bytes, 1, (size_t)length, file) != (size_t)length) {
      free(bytes);
      bytes = NULL;
    }
    *size = (size_t)length;
  }
  fclose(file);
  return bytes;
}

static int load(sqlite3 *db, const char *bytes, size_t size) {
  sqlite3_stmt *s;
  int rc = sqlite3_prepare_v2(
    db,
    "INSERT INTO t SELECT value ->> 'id', value ->> 'name', value ->> 'town', value ->> 'price',"
    " value ->> 'amount', value ->> 'flag', value ->> '$.at.x', value ->> '$.at.y', value ->> 'note'"
    " FROM json_each(?1)",
    -1, &s, NULL);
  if (rc != SQLITE_OK) return rc;
  sqlite3_bind_text64(s, 1, bytes, size, SQLITE_STATIC, SQLITE_UTF8);
  rc = sqlite3_step(s);
  sqlite3_finalize(s);
  return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int ask(sqlite3 *db, uint64_t *sum) {
  sqlite3_stmt *s;
  int rc = sqlite3_prepare_v2(
    db, "SELECT town, count(*), sum(amount), sum(x) FROM t GROUP BY town", -1, &s, NULL);
  if (rc != SQLITE_OK) return rc;
  while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
    for (int column = 1; column < 4; column++) *sum += (uint64_t)sqlite3_column_int64(s, column);
  }
  sqlite3_finalize(s);
  return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int baseline_query_json(const char *path, uint64_t *sum) {
  size_t size;
  char *bytes = read_file(path, &size);
  sqlite3 *db = NULL;
  *sum = 0;
  if (!bytes) return SQLITE_CANTOPEN;
  int rc = sqlite3_open(":memory:", &db);
  if (rc == SQLITE_OK) {
    rc = sqlite3_exec(
      db,
      "PRAGMA journal_mode = OFF; CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, town TEXT,"
      " price REAL, amount INTEGER, flag BOOLEAN, x INTEGER, y REAL, note TEXT)",
      NULL, NULL, NULL);
  }
  if (rc == SQLITE_OK) rc = load(db, bytes, size);
  if (rc == SQLITE_OK) rc = ask(db, sum);
  sqlite3_close(db);
  free(bytes);
  return rc;
}
