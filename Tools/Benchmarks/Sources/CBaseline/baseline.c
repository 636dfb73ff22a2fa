#define _POSIX_C_SOURCE 200809L
#include "baseline.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *schema =
  "CREATE TABLE item (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b INTEGER NOT NULL,"
  " x REAL NOT NULL, y REAL, name TEXT NOT NULL, title TEXT NOT NULL, note TEXT,"
  " flag INTEGER NOT NULL, data BLOB NOT NULL)";
static const char *insert_sql = "INSERT INTO item VALUES (?,?,?,?,?,?,?,?,?,?)";

static uint64_t mix(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static void letters(char *text, size_t count, uint64_t *state) {
  for (size_t i = 0; i < count; i++) text[i] = (char)('a' + mix(state) % 26);
  text[count] = 0;
}

baseline_item *baseline_items(size_t count) {
  baseline_item *items = calloc(count, sizeof(baseline_item));
  uint64_t state = 20260101;
  for (size_t i = 0; items && i < count; i++) {
    baseline_item *item = &items[i];
    item->id = (int64_t)i + 1;
    item->a = (int64_t)(mix(&state) % 1000000);
    item->b = (int64_t)(mix(&state) & 0xffffffffffffu);
    item->x = (double)(mix(&state) % 1000000007u) / 1024.0;
    item->y_is_null = mix(&state) % 4 == 0;
    item->y = (double)(mix(&state) % 1000003u) / 8.0;
    letters(item->name, 5 + mix(&state) % 8, &state);
    letters(item->title, 40, &state);
    item->note_is_null = mix(&state) % 2 == 0;
    letters(item->note, 20, &state);
    item->flag = (int)(mix(&state) & 1);
    for (size_t j = 0; j < 32; j++) item->data[j] = (unsigned char)mix(&state);
  }
  return items;
}

int64_t baseline_key(size_t n, size_t rows) {
  uint64_t state = 77 + n;
  return (int64_t)(mix(&state) % rows) + 1;
}

double baseline_cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int open_database(const char *path, sqlite3 **db) {
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  int rc = sqlite3_open_v2(path, db, flags, NULL);
  if (rc == SQLITE_OK) {
    rc = sqlite3_exec(
      *db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
  }
  return rc;
}

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
  int rc = open_database(path, &db);
  *sum = 0;
  if (rc == SQLITE_OK) {
    rc = sqlite3_exec(db, "DROP TABLE IF EXISTS item", NULL, NULL, NULL);
  }
  if (rc == SQLITE_OK) rc = sqlite3_exec(db, schema, NULL, NULL, NULL);
  if (rc == SQLITE_OK) rc = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
  if (rc == SQLITE_OK) rc = sqlite3_prepare_v2(db, insert_sql, -1, &s, NULL);
  for (size_t i = 0; rc == SQLITE_OK && i < count; i++) {
    rc = bind_item(s, &items[i]);
    if (rc == SQLITE_OK && sqlite3_step(s) != SQLITE_DONE) rc = SQLITE_ERROR;
    sqlite3_reset(s);
    *sum += (uint64_t)sqlite3_last_insert_rowid(db);
  }
  sqlite3_finalize(s);
  if (rc == SQLITE_OK) rc = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
  sqlite3_close(db);
  return rc;
}

int baseline_create(const char *path, const baseline_item *items, size_t count, uint64_t *sum) {
  return baseline_insert(path, items, count, sum);
}

typedef struct {
  int64_t id, a, b;
  double x, y;
  int y_is_null, flag;
  char *name, *title, *note;
  unsigned char *data;
  int data_size;
} fetched;

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

static void read_row(sqlite3_stmt *s, fetched *row) {
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

static void free_row(fetched *row) {
  free(row->name);
  free(row->title);
  free(row->note);
  free(row->data);
}

// What a checksum takes of each row: every contestant's is the same.
static uint64_t weigh(const fetched *row) {
  return (uint64_t)row->id + (uint64_t)row->a + (uint64_t)row->b + (uint64_t)row->x
    + (row->y_is_null ? 1 : (uint64_t)row->y) + strlen(row->name) + strlen(row->title)
    + (row->note ? strlen(row->note) : 1) + (uint64_t)row->flag + (uint64_t)row->data[0]
    + (uint64_t)row->data_size;
}

int baseline_fetch_all(const char *path, uint64_t *sum) {
  sqlite3 *db = NULL;
  sqlite3_stmt *s = NULL;
  size_t count = 0, capacity = 0;
  fetched *rows = NULL;
  int rc = open_database(path, &db);
  *sum = 0;
  if (rc == SQLITE_OK) rc = sqlite3_prepare_v2(db, "SELECT * FROM item", -1, &s, NULL);
  while (rc == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW) {
    if (count == capacity) {
      capacity = capacity ? capacity * 2 : 64;
      rows = realloc(rows, capacity * sizeof(fetched));
    }
    read_row(s, &rows[count++]);
  }
  if (rc == SQLITE_OK) rc = sqlite3_finalize(s);
  for (size_t i = 0; i < count; i++) {
    *sum += weigh(&rows[i]);
    free_row(&rows[i]);
  }
  free(rows);
  sqlite3_close(db);
  return rc;
}

int baseline_look_up(const char *path, size_t rows, size_t lookups, uint64_t *sum) {
  sqlite3 *db = NULL;
  sqlite3_stmt *s = NULL;
  int rc = open_database(path, &db);
  *sum = 0;
  if (rc == SQLITE_OK) {
    rc = sqlite3_prepare_v2(db, "SELECT * FROM item WHERE id = ?", -1, &s, NULL);
  }
  for (size_t i = 0; rc == SQLITE_OK && i < lookups; i++) {
    sqlite3_bind_int64(s, 1, baseline_key(i, rows));
    if (sqlite3_step(s) == SQLITE_ROW) {
      fetched row;
      read_row(s, &row);
      *sum += weigh(&row);
      free_row(&row);
    }
    rc = sqlite3_reset(s);
  }
  sqlite3_finalize(s);
  sqlite3_close(db);
  return rc;
}
