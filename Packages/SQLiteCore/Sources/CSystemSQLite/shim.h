// What Swift cannot import from sqlite3.h: variadic functions, function-like macros, and symbols
// that some builds of SQLite lack and that are therefore looked up at run time.
#ifndef HOLT_CSQLITE_SHIM_H
#define HOLT_CSQLITE_SHIM_H

#include <dlfcn.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

#ifdef __APPLE__
#define HOLT_EVERY_LIBRARY ((void *)-2)
#else
#define HOLT_EVERY_LIBRARY ((void *)0)
#endif

// An identifier of the calling thread: never 0, unique among the threads that exist.
static inline uintptr_t holt_current_thread(void) {
#if defined(__linux__) && __has_builtin(__builtin_thread_pointer)
  return (uintptr_t)__builtin_thread_pointer();
#else
  return (uintptr_t)pthread_self();
#endif
}

// The C library declares `dladdr` for GNU programs alone.
typedef struct holt_image {
  const char *path;
  void *start;
  const char *symbol;
  void *symbol_start;
} holt_image;

#ifdef __linux__
extern int holt_image_of(const void *address, holt_image *image) __asm__("dladdr");
#else
static inline int holt_image_of(const void *address, holt_image *image) {
  Dl_info info;
  if (!dladdr(address, &info)) return 0;
  image->start = info.dli_fbase;
  return 1;
}
#endif

// The function of this name in the SQLite that this package is linked to, and in no other that the
// process may have; NULL where there is none.
static inline void *holt_symbol(const char *name) {
  void *found = dlsym(HOLT_EVERY_LIBRARY, name);
  holt_image ours, its;
  if (!found || !holt_image_of((const void *)sqlite3_open_v2, &ours)) return NULL;
  return holt_image_of(found, &its) && its.start == ours.start ? found : NULL;
}

// As `holt_symbol`, which is asked once: `place` keeps the answer, or its own address where that is NULL.
// Threads that ask at once find the same.
static inline void *holt_symbol_once(void **place, const char *name) {
  void *known = __atomic_load_n(place, __ATOMIC_RELAXED);
  if (!known) {
    known = holt_symbol(name);
    __atomic_store_n(place, known ? known : (void *)place, __ATOMIC_RELAXED);
  }
  return known == (void *)place ? NULL : known;
}

// Codes newer than the oldest header that this package builds with.
enum {
  holt_dbconfig_enable_fkey = 1002,
  holt_dbconfig_defensive = 1010,
  holt_dbconfig_dqs_dml = 1013,
  holt_dbconfig_dqs_ddl = 1014,
  holt_dbconfig_trusted_schema = 1017,
  holt_dbconfig_triggers = 1003,
  holt_dbconfig_fts3_tokenizer = 1004,
  holt_dbconfig_enable_load_extension = 1005,
  holt_dbconfig_no_checkpoint_on_close = 1006,
  holt_dbconfig_stable_query_plans = 1007,
  holt_dbconfig_trigger_query_plans = 1008,
  holt_dbconfig_reset_database = 1009,
  holt_dbconfig_writable_schema = 1011,
  holt_dbconfig_legacy_alter_table = 1012,
  holt_dbconfig_views = 1015,
  holt_dbconfig_legacy_file_format = 1016,
  holt_dbconfig_reverse_scan_order = 1019,
  holt_dbconfig_attach_create = 1020,
  holt_dbconfig_attach_write = 1021,
  holt_dbconfig_comments = 1022
};

static inline int holt_db_config(sqlite3 *db, int option, int value) {
  return sqlite3_db_config(db, option, value, (int *)0);
}

// `stays`: the bytes outlive the binding, and SQLite need not copy them.
static inline int holt_bind_text(
  sqlite3_stmt *s, int i, const void *text, sqlite3_uint64 n, int stays) {
  // An empty text must have an address that stays, too.
  return sqlite3_bind_text64(
    s, i, n ? (const char *)text : "", n, stays || !n ? SQLITE_STATIC : SQLITE_TRANSIENT,
    SQLITE_UTF8);
}

static inline int holt_bind_blob(
  sqlite3_stmt *s, int i, const void *bytes, sqlite3_uint64 n, int stays) {
  return sqlite3_bind_blob64(s, i, bytes, n, stays ? SQLITE_STATIC : SQLITE_TRANSIENT);
}

static inline void holt_result_text(sqlite3_context *c, const char *text, sqlite3_uint64 n) {
  sqlite3_result_text64(c, text, n, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline void holt_result_blob(sqlite3_context *c, const void *bytes, sqlite3_uint64 n) {
  sqlite3_result_blob64(c, bytes, n, SQLITE_TRANSIENT);
}

// The preupdate hook exists where SQLite was built with SQLITE_ENABLE_PREUPDATE_HOOK.
typedef void (*holt_preupdate_callback)(
  void *context, sqlite3 *db, int operation, const char *schema, const char *table,
  sqlite3_int64 old_rowid, sqlite3_int64 new_rowid);

static inline int holt_has_preupdate(void) {
  return holt_symbol("sqlite3_preupdate_hook") != NULL;
}

static inline void holt_preupdate_hook(sqlite3 *db, holt_preupdate_callback f, void *context) {
  typedef void *(*function)(sqlite3 *, holt_preupdate_callback, void *);
  static void *known = NULL;
  function hook = (function)holt_symbol_once(&known, "sqlite3_preupdate_hook");
  if (hook) hook(db, f, context);
}

typedef int (*holt_preupdate_int)(sqlite3 *);
typedef int (*holt_preupdate_value)(sqlite3 *, int, sqlite3_value **);

static inline int holt_preupdate_count(sqlite3 *db) {
  static void *known = NULL;
  holt_preupdate_int f = (holt_preupdate_int)holt_symbol_once(&known, "sqlite3_preupdate_count");
  return f ? f(db) : 0;
}

static inline int holt_preupdate_depth(sqlite3 *db) {
  static void *known = NULL;
  holt_preupdate_int f = (holt_preupdate_int)holt_symbol_once(&known, "sqlite3_preupdate_depth");
  return f ? f(db) : 0;
}

static inline int holt_preupdate_blobwrite(sqlite3 *db) {
  static void *known = NULL;
  holt_preupdate_int f = (holt_preupdate_int)holt_symbol_once(
    &known, "sqlite3_preupdate_blobwrite");
  return f ? f(db) : -1;
}

static inline int holt_preupdate_old(sqlite3 *db, int column, sqlite3_value **value) {
  static void *known = NULL;
  holt_preupdate_value f = (holt_preupdate_value)holt_symbol_once(&known, "sqlite3_preupdate_old");
  return f ? f(db, column, value) : SQLITE_MISUSE;
}

static inline int holt_preupdate_new(sqlite3 *db, int column, sqlite3_value **value) {
  static void *known = NULL;
  holt_preupdate_value f = (holt_preupdate_value)holt_symbol_once(&known, "sqlite3_preupdate_new");
  return f ? f(db, column, value) : SQLITE_MISUSE;
}

// The name of an attached database, since SQLite 3.39; NULL where there is none.
static inline const char *holt_db_name(sqlite3 *db, int index) {
  typedef const char *(*function)(sqlite3 *, int);
  static void *known = NULL;
  function f = (function)holt_symbol_once(&known, "sqlite3_db_name");
  return f ? f(db, index) : NULL;
}

// Switches where `value` is 0 or 1, asks where it is negative.
static inline int holt_db_config_value(sqlite3 *db, int option, int value, int *result) {
  return sqlite3_db_config(db, option, value, result);
}

// An application's build of SQLite may leave extensions out, and their function with them.
static inline int holt_load_extension(
  sqlite3 *db, const char *file, const char *entry, char **message
) {
  typedef int (*function)(sqlite3 *, const char *, const char *, char **);
  static void *known = NULL;
  function f = (function)holt_symbol_once(&known, "sqlite3_load_extension");
  return f ? f(db, file, entry, message) : SQLITE_ERROR;
}

static inline int holt_has_symbol(const char *name) {
  return holt_symbol(name) != NULL;
}

typedef void (*holt_log_callback)(void *context, int code, const char *message);

// SQLITE_MISUSE once SQLite is initialized, as the first open does.
static inline int holt_config_log(holt_log_callback f) {
  return sqlite3_config(SQLITE_CONFIG_LOG, f, (void *)0);
}

// The byte offset of an error in the SQL, since SQLite 3.38; -1 where there is none.
static inline int holt_error_offset(sqlite3 *db) {
  typedef int (*function)(sqlite3 *);
  static void *known = NULL;
  function f = (function)holt_symbol_once(&known, "sqlite3_error_offset");
  return f ? f(db) : -1;
}

// A list of values, bound as a pointer that only its own table can read.
static inline int holt_bind_list(sqlite3_stmt *s, int i, void *list, void (*release)(void *)) {
  return sqlite3_bind_pointer(s, i, list, "holt_list", release);
}

static inline void *holt_value_list(sqlite3_value *value) {
  return sqlite3_value_pointer(value, "holt_list");
}

// The engine's cursor comes first, as it demands.
typedef struct holt_list_cursor {
  sqlite3_vtab_cursor base;
  void *list;
  sqlite3_int64 count;
  sqlite3_int64 position;
} holt_list_cursor;

// SQLITE_VTAB_DIRECTONLY, since SQLite 3.31.
static inline int holt_vtab_direct_only(sqlite3 *db) { return sqlite3_vtab_config(db, 3); }

static inline void holt_set_vtab_message(sqlite3_vtab *table, const char *message) {
  if (!table) return;
  sqlite3_free(table->zErrMsg);
  table->zErrMsg = sqlite3_mprintf("%s", message);
}

// A moment's rest for a processor whose thread looks out for another's answer.
static inline void holt_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

// How many processors the calling thread may use, which can be fewer than there are.
static inline long holt_processor_count(void) {
#ifdef __linux__
  // The C library declares its own function of this for GNU programs alone.
  unsigned char set[1024];
  long size = syscall(SYS_sched_getaffinity, 0, sizeof set, set);
  long count = 0;
  for (long byte = 0; byte < size; byte++) count += __builtin_popcount(set[byte]);
  if (count > 0) return count;
#endif
  return sysconf(_SC_NPROCESSORS_ONLN);
}

// Snapshots exist where SQLite was built with SQLITE_ENABLE_SNAPSHOT.
static inline int holt_has_snapshots(void) {
  return holt_symbol("sqlite3_snapshot_get") != NULL
    && holt_symbol("sqlite3_snapshot_open") != NULL
    && holt_symbol("sqlite3_snapshot_free") != NULL;
}

static inline int holt_snapshot_get(sqlite3 *db, void **snapshot) {
  typedef int (*function)(sqlite3 *, const char *, void **);
  static void *known = NULL;
  function f = (function)holt_symbol_once(&known, "sqlite3_snapshot_get");
  return f ? f(db, "main", snapshot) : SQLITE_MISUSE;
}

static inline int holt_snapshot_open(sqlite3 *db, void *snapshot) {
  typedef int (*function)(sqlite3 *, const char *, void *);
  static void *known = NULL;
  function f = (function)holt_symbol_once(&known, "sqlite3_snapshot_open");
  return f ? f(db, "main", snapshot) : SQLITE_MISUSE;
}

static inline void holt_snapshot_free(void *snapshot) {
  typedef void (*function)(void *);
  static void *known = NULL;
  function f = (function)holt_symbol_once(&known, "sqlite3_snapshot_free");
  if (f) f(snapshot);
}

// A statement's text without its literals, where SQLite was built with SQLITE_ENABLE_NORMALIZE; NULL
// where it was not, or memory is short. It is the statement's.
static inline const char *holt_normalized_sql(sqlite3_stmt *s) {
  typedef const char *(*function)(sqlite3_stmt *);
  static void *known = NULL;
  function f = (function)holt_symbol_once(&known, "sqlite3_normalized_sql");
  return f ? f(s) : NULL;
}

// The state of the write-ahead log as all processes share it: the number of its last commit, and the
// checksum of the log up to there, from the head of its index. https://sqlite.org/walformat.html#the_wal_index_header
//
// The index is read where SQLite itself has mapped it: to open and close the file again would let go of the locks
// that the process has on it. 0 where there is no such index, which is not made for it.
static inline int holt_log_state(sqlite3 *db, unsigned *number, unsigned long long *checksum) {
  const char *path = sqlite3_db_filename(db, "main");
  if (!path || !*path) return 0;
  char *index = sqlite3_mprintf("%s-shm", path);
  int exists = index && access(index, F_OK) == 0;
  sqlite3_free(index);
  if (!exists) return 0;
  sqlite3_file *file = NULL;
  if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
  if (!file || !file->pMethods || file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
  void volatile *region = NULL;
  int rc = file->pMethods->xShmMap(file, 0, 32768, 0, &region);
  // A process that may only read the index has it mapped all the same.
  if ((rc != SQLITE_OK && rc != SQLITE_READONLY) || !region) return 0;
  for (int attempt = 0; attempt < 100; attempt++) {
    // It is there twice: they differ while it is being written.
    unsigned first[12], second[12];
    for (int i = 0; i < 12; i++) first[i] = ((unsigned volatile *)region)[i];
    __sync_synchronize();
    for (int i = 0; i < 12; i++) second[i] = ((unsigned volatile *)region)[12 + i];
    if (memcmp(first, second, sizeof first) != 0) continue;
    if (((unsigned char *)first)[12] == 0) return 0;
    *number = first[2];
    *checksum = (unsigned long long)first[6] << 32 | first[7];
    return 1;
  }
  return 0;
}

#endif
