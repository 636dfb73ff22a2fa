// The workloads in C, through the same libsqlite3: what Holt's times are divided by.
#ifndef HOLT_BASELINE_H
#define HOLT_BASELINE_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  int64_t id, a, b;
  double x, y;
  int y_is_null, note_is_null, flag;
  char name[13];
  char title[41];
  char note[21];
  unsigned char data[32];
} baseline_item;

// The rows of the fixed seed: the same for every contestant. Freed by `free`.
baseline_item *baseline_items(size_t count);

// Each returns 0 where SQLite did all that was asked, and a checksum of what it read or wrote.
int baseline_create(const char *path, const baseline_item *items, size_t count, uint64_t *sum);
int baseline_fetch_all(const char *path, uint64_t *sum);
int baseline_insert(const char *path, const baseline_item *items, size_t count, uint64_t *sum);
int baseline_look_up(const char *path, size_t rows, size_t lookups, uint64_t *sum);

// The key of the n-th lookup among `rows` rows.
int64_t baseline_key(size_t n, size_t rows);

// CPU seconds of this process so far, all threads.
double baseline_cpu_seconds(void);

#endif
