// The workloads in C with the same libsqlite3, as the baseline for Holt's times.
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

// A string of about 1 KB in which half of the characters are not ASCII.
typedef struct {
  int64_t id;
  int size;
  char bytes[1028];
} baseline_text;

// Return rows generated from fixed seeds, the same for all implementations. The caller frees them with `free`.
baseline_item *baseline_items(size_t count);
baseline_text *baseline_texts(size_t count);

// Each of the following functions returns 0 on success or an SQLite error code, and stores a checksum of the
// read or written data.

// Fetches every row into an array of structs.
int baseline_fetch_all(const char *path, uint64_t *sum);
// Steps through every row without reading columns, to measure SQLite itself.
int baseline_step_all(const char *path);
// Recreates and fills the table in one transaction.
int baseline_insert(const char *path, const baseline_item *items, size_t count, uint64_t *sum);
// Recreates and fills a table with eight of the columns, including a date.
int baseline_insert_entries(
  const char *path, const baseline_item *items, size_t count, uint64_t *sum);
// Recreates a table and inserts a row in each of `count` transactions.
int baseline_insert_singly(const char *path, size_t count, uint64_t *sum);

typedef enum {
  // One statement, compiled once; each lookup runs in a separate transaction.
  BASELINE_CACHED,
  // Like the previous, without reading columns.
  BASELINE_STEP_ALONE,
  BASELINE_IN_ONE_TRANSACTION,
  BASELINE_COMPILED_EACH_TIME,
} baseline_lookup;

// Looks up rows by key, in the order given by `baseline_key`.
int baseline_look_up(
  const char *path, size_t rows, size_t lookups, baseline_lookup how, uint64_t *sum);

// Recreates and fills a table of strings in one transaction; fetches it into an array.
int baseline_insert_texts(
  const char *path, const baseline_text *texts, size_t count, uint64_t *sum);
int baseline_fetch_texts(const char *path, uint64_t *sum);

// Two threads read rows by key and one updates them until the time is up. Stores the number of operations of
// each kind.
int baseline_concurrent_reads(
  const char *path, size_t rows, double seconds, size_t *reads, size_t *writes);

// Each of the following functions up to `baseline_pq_copy` connects to a PostgreSQL server with libpq, and returns another value than 0 on
// failure. `info` contains libpq's parameters.

// Creates the tables `item`, which contains the rows, and `copied`.
int baseline_pq_create(
  const char *info, const baseline_item *items, size_t count, uint64_t *sum);
// Looks up rows by key, one after another on one connection.
int baseline_pq_look_up(const char *info, size_t rows, size_t lookups, uint64_t *sum);
// Looks up rows by key on 16 connections, for which one thread waits together.
int baseline_pq_look_up_concurrently(
  const char *info, size_t rows, size_t lookups, uint64_t *sum);
// Fetches every row into an array of structs: from one result, or from a result for each row.
int baseline_pq_fetch_all(const char *info, int by_row, uint64_t *sum);
// Empties the table `copied` and fills it with `COPY` in binary format.
int baseline_pq_copy(
  const char *info, const baseline_item *items, size_t count, uint64_t *sum);

// Reads a document with libxml2's reader, with or without reading every text and value.
int baseline_read_xml(const char *bytes, size_t size, int touches, uint64_t *sum);

// Reads a JSON file into a table in memory with `json_each`, and queries sums by group.
int baseline_query_json(const char *path, uint64_t *sum);

// Return the resident memory of the process, and its peak since the last reset; 0 if not available.
size_t baseline_resident_bytes(void);
size_t baseline_peak_bytes(void);
// Resets the peak, and returns free memory to the system.
void baseline_reset_peak(void);

// Returns the key of the n-th lookup among `rows` rows.
int64_t baseline_key(size_t n, size_t rows);

// Counts the fields of a text by its delimiters and line breaks only, as a lower bound for any reader. No line
// may end with a delimiter.
size_t baseline_count_fields(const char *text, size_t size, char delimiter);

// Returns the CPU time of all threads of the process in seconds.
double baseline_cpu_seconds(void);

// Returns the number of allocated bytes in all threads; 0 if not available.
size_t baseline_allocated_bytes(void);

#endif
