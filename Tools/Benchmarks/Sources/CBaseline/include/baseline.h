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

// A text of about 1 KB, half of whose characters are not ASCII.
typedef struct {
  int64_t id;
  int size;
  char bytes[1028];
} baseline_text;

// The rows of the fixed seeds: the same for every contestant. Freed by `free`.
baseline_item *baseline_items(size_t count);
baseline_text *baseline_texts(size_t count);

// Each function below returns 0 where SQLite did all that was asked, and tells a checksum of what it
// read or wrote.

// Fetches every row into an array of structs.
int baseline_fetch_all(const char *path, uint64_t *sum);
// Steps through every row, and reads no column: what SQLite itself costs.
int baseline_step_all(const char *path);
// Makes the table anew and fills it, in one transaction.
int baseline_insert(const char *path, const baseline_item *items, size_t count, uint64_t *sum);
// The same for a table of eight of the columns, of which one is a date.
int baseline_insert_entries(
  const char *path, const baseline_item *items, size_t count, uint64_t *sum);
// Makes a table anew, and inserts a row in each of `count` transactions.
int baseline_insert_singly(const char *path, size_t count, uint64_t *sum);

typedef enum {
  // One statement, compiled once; each lookup reads in a transaction of its own.
  BASELINE_CACHED,
  // The same, and no column is read.
  BASELINE_STEP_ALONE,
  BASELINE_IN_ONE_TRANSACTION,
  BASELINE_COMPILED_EACH_TIME,
} baseline_lookup;

// Looks rows up by key, in an order that `baseline_key` makes.
int baseline_look_up(
  const char *path, size_t rows, size_t lookups, baseline_lookup how, uint64_t *sum);

// Makes a table of texts anew and fills it, in one transaction; and fetches it into an array.
int baseline_insert_texts(
  const char *path, const baseline_text *texts, size_t count, uint64_t *sum);
int baseline_fetch_texts(const char *path, uint64_t *sum);

// Two threads read rows by key and one updates them, for a time; and tells how many each kind did.
int baseline_concurrent_reads(
  const char *path, size_t rows, double seconds, size_t *reads, size_t *writes);

// Reads a document to its end by libxml2's reader; and touches every text and value, or none.
int baseline_read_xml(const char *bytes, size_t size, int touches, uint64_t *sum);

// Reads a file of JSON into a table in memory by `json_each`, and asks for sums by group.
int baseline_query_json(const char *path, uint64_t *sum);

// The memory that the process has, and the most that it has had since it was to forget that; 0 where that can't be
// told.
size_t baseline_resident_bytes(void);
size_t baseline_peak_bytes(void);
// Gives memory back that is free, too.
void baseline_reset_peak(void);

// The key of the n-th lookup among `rows` rows.
int64_t baseline_key(size_t n, size_t rows);

// The fields of a text, by its delimiters and line breaks alone: what no reader can do with less. No line ends
// with a delimiter.
size_t baseline_count_fields(const char *text, size_t size, char delimiter);

// CPU seconds of this process so far, all threads.
double baseline_cpu_seconds(void);

// The bytes that are allocated now, on every thread; 0 where that can't be told.
size_t baseline_allocated_bytes(void);

#endif
