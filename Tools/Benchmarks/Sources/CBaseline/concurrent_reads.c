#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <time.h>

#include "engine.h"

typedef struct {
  const char *path;
  size_t rows, count;
  double until;
  int rc;
} actor;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *run_reader(void *argument) {
  actor *self = argument;
  sqlite3 *db = NULL;
  sqlite3_stmt *s = NULL;
  self->rc = baseline_open(self->path, &db);
  if (self->rc == SQLITE_OK) {
    self->rc = sqlite3_prepare_v2(db, "SELECT * FROM item WHERE id = ?", -1, &s, NULL);
  }
  while (self->rc == SQLITE_OK && now() < self->until) {
    baseline_row row;
    sqlite3_bind_int64(s, 1, baseline_key(self->count++, self->rows));
    if (sqlite3_step(s) == SQLITE_ROW) {
      baseline_read_row(s, &row);
      baseline_free_row(&row);
    }
    self->rc = sqlite3_reset(s);
  }
  sqlite3_finalize(s);
  sqlite3_close(db);
  return NULL;
}

static void *run_writer(void *argument) {
  actor *self = argument;
  sqlite3 *db = NULL;
  sqlite3_stmt *s = NULL;
  self->rc = baseline_open(self->path, &db);
  if (self->rc == SQLITE_OK) {
    self->rc = sqlite3_prepare_v2(db, "UPDATE item SET a = ? WHERE id = ?", -1, &s, NULL);
  }
  while (self->rc == SQLITE_OK && now() < self->until) {
    sqlite3_bind_int64(s, 1, (int64_t)self->count);
    sqlite3_bind_int64(s, 2, baseline_key(self->count++, self->rows));
    sqlite3_step(s);
    self->rc = sqlite3_reset(s);
  }
  sqlite3_finalize(s);
  sqlite3_close(db);
  return NULL;
}

int baseline_concurrent_reads(
  const char *path, size_t rows, double seconds, size_t *reads, size_t *writes) {
  actor actors[3];
  pthread_t threads[3];
  int started = 0, rc = SQLITE_OK;
  for (; started < 3; started++) {
    actors[started] = (actor){.path = path, .rows = rows, .until = now() + seconds};
    void *(*body)(void *) = started < 2 ? run_reader : run_writer;
    if (pthread_create(&threads[started], NULL, body, &actors[started])) rc = SQLITE_ERROR;
    if (rc != SQLITE_OK) break;
  }
  for (int i = 0; i < started; i++) {
    pthread_join(threads[i], NULL);
    if (rc == SQLITE_OK) rc = actors[i].rc;
  }
  *reads = rc == SQLITE_OK ? actors[0].count + actors[1].count : 0;
  *writes = rc == SQLITE_OK ? actors[2].count : 0;
  return rc;
}
