// Declarations that Swift can't import from sqlite3.h: variadic functions, function-like macros,
// and functions that some builds of SQLite lack.
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

// An identifier of the calling thread: never 0, unique among the threads that exist.
static inline uintptr_t holt_current_thread(void) {
#if defined(__linux__) && __has_builtin(__builtin_thread_pointer)
  return (uintptr_t)__builtin_thread_pointer();
#else
  return (uintptr_t)pthread_self();
#endif
}

// Declares `name`, a function that some builds of SQLite lack, which returns `otherwise` if the
// linked SQLite lacks it, and `name_exists` (decision 56).
//
// An ELF linker binds the function to the system's shared library, and to NULL if it is missing. On
// Mach-O, a missing function can't be linked, and is looked up in the system's library.
#if defined(__ELF__)
#define HOLT_RARE(result, symbol, name, otherwise, parameters, arguments) \
  result symbol parameters __attribute__((weak)); \
  static inline int name##_exists(void) { return symbol != NULL; } \
  static inline result name parameters { return symbol ? symbol arguments : otherwise; }
#else
// Looks up a function in the SQLite that this package is linked to, and in no other SQLite of the
// process. Returns NULL if the function does not exist. The lookup is made once: `known` caches the
// result, or its own address if the result is NULL. Concurrent lookups find the same result.
static inline void *holt_look_up(void **known, const char *name) {
  void *found = __atomic_load_n(known, __ATOMIC_RELAXED);
  if (!found) {
    Dl_info ours, its;
    found = dlsym((void *)-2, name); // RTLD_DEFAULT
    if (!found || !dladdr((const void *)sqlite3_open_v2, &ours) || !dladdr(found, &its)
        || its.dli_fbase != ours.dli_fbase) {
      found = known;
    }
    __atomic_store_n(known, found, __ATOMIC_RELAXED);
  }
  return found == (void *)known ? NULL : found;
}

#define HOLT_RARE(result, symbol, name, otherwise, parameters, arguments) \
  typedef result (*name##_function) parameters; \
  static inline name##_function name##_found(void) { \
    static void *known = NULL; \
    return (name##_function)holt_look_up(&known, #symbol); \
  } \
  static inline int name##_exists(void) { return name##_found() != NULL; } \
  static inline result name parameters { \
    name##_function holt_function = name##_found(); \
    return holt_function ? holt_function arguments : otherwise; \
  }
#endif

// Like HOLT_RARE, but an ordinary reference to an SQLite that the app supplies: a linker only
// includes the referenced files of a static library.
#if defined(HOLT_BINDS_DIRECTLY)
#define HOLT_OPTIONAL(result, symbol, name, otherwise, parameters, arguments) \
  result symbol parameters; \
  static inline int name##_exists(void) { return 1; } \
  static inline result name parameters { return symbol arguments; }
#else
#define HOLT_OPTIONAL HOLT_RARE
#endif

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

// `stays`: the bytes outlive the binding, so SQLite need not copy them.
static inline int holt_bind_text(
  sqlite3_stmt *s, int i, const void *text, sqlite3_uint64 n, int stays) {
  // An empty text must also have a stable address.
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

typedef void (*holt_preupdate_callback)(
  void *context, sqlite3 *db, int operation, const char *schema, const char *table,
  sqlite3_int64 old_rowid, sqlite3_int64 new_rowid);

// With SQLITE_ENABLE_PREUPDATE_HOOK. The first function sets the hook, and returns the previous
// context.
HOLT_OPTIONAL(void *, sqlite3_preupdate_hook, holt_preupdate_hook, NULL,
  (sqlite3 *db, holt_preupdate_callback f, void *context), (db, f, context))
HOLT_OPTIONAL(int, sqlite3_preupdate_count, holt_preupdate_count, 0, (sqlite3 *db), (db))
HOLT_OPTIONAL(int, sqlite3_preupdate_depth, holt_preupdate_depth, 0, (sqlite3 *db), (db))
// Since SQLite 3.36.
HOLT_OPTIONAL(int, sqlite3_preupdate_blobwrite, holt_preupdate_blobwrite, -1, (sqlite3 *db), (db))
HOLT_OPTIONAL(int, sqlite3_preupdate_old, holt_preupdate_old, SQLITE_MISUSE,
  (sqlite3 *db, int column, sqlite3_value **value), (db, column, value))
HOLT_OPTIONAL(int, sqlite3_preupdate_new, holt_preupdate_new, SQLITE_MISUSE,
  (sqlite3 *db, int column, sqlite3_value **value), (db, column, value))

// The version of the SQLite header that this package was built with. Functions of later versions
// are not used.
static inline int holt_header_version(void) { return SQLITE_VERSION_NUMBER; }

// The name of an attached database, since SQLite 3.39; NULL if there is none.
static inline const char *holt_db_name(sqlite3 *db, int index) {
#if SQLITE_VERSION_NUMBER >= 3039000
  return sqlite3_db_name(db, index);
#else
  (void)db; (void)index;
  return NULL;
#endif
}

// Sets the option if `value` is 0 or 1, and queries it if `value` is negative.
static inline int holt_db_config_value(sqlite3 *db, int option, int value, int *result) {
  return sqlite3_db_config(db, option, value, result);
}

// Without SQLITE_OMIT_LOAD_EXTENSION.
HOLT_RARE(int, sqlite3_load_extension, holt_load_extension, SQLITE_ERROR,
  (sqlite3 *db, const char *file, const char *entry, char **message), (db, file, entry, message))

// Since SQLite 3.41.
HOLT_RARE(int, sqlite3_is_interrupted, holt_interrupted_flag, -1, (sqlite3 *db), (db))

// Returns whether the running statements have been interrupted. Earlier releases have no function for it, but check for
// an interruption when they parse white space. Call it only in a callback of the connection.
static inline int holt_is_interrupted(sqlite3 *db) {
  int known = holt_interrupted_flag(db);
  if (known >= 0) return known;
  sqlite3_stmt *none = NULL;
  int rc = sqlite3_prepare_v2(db, " ", 1, &none, NULL);
  sqlite3_finalize(none);
  return rc == SQLITE_INTERRUPT;
}

typedef void (*holt_log_callback)(void *context, int code, const char *message);

// Returns SQLITE_MISUSE after SQLite is initialized, for example by opening a database.
static inline int holt_config_log(holt_log_callback f) {
  return sqlite3_config(SQLITE_CONFIG_LOG, f, (void *)0);
}

// The byte offset of an error in the SQL, since SQLite 3.38; -1 if there is none.
static inline int holt_error_offset(sqlite3 *db) {
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_error_offset(db);
#else
  (void)db;
  return -1;
#endif
}

// A list of values, bound as a pointer that only its table-valued function can read.
static inline int holt_bind_list(sqlite3_stmt *s, int i, void *list, void (*release)(void *)) {
  return sqlite3_bind_pointer(s, i, list, "holt_list", release);
}

static inline void *holt_value_list(sqlite3_value *value) {
  return sqlite3_value_pointer(value, "holt_list");
}

// SQLite requires its cursor as the first member.
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

// A processor hint for spin loops.
static inline void holt_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

// The number of processors that the calling thread may use, which can be less than the number of
// processors.
static inline long holt_processor_count(void) {
#ifdef __linux__
  // The C library declares its own function only with _GNU_SOURCE.
  unsigned char set[1024];
  long size = syscall(SYS_sched_getaffinity, 0, sizeof set, set);
  long count = 0;
  for (long byte = 0; byte < size; byte++) count += __builtin_popcount(set[byte]);
  if (count > 0) return count;
#endif
  return sysconf(_SC_NPROCESSORS_ONLN);
}

// With SQLITE_ENABLE_SNAPSHOT.
HOLT_RARE(int, sqlite3_snapshot_get, holt_snapshot_get, SQLITE_MISUSE,
  (sqlite3 *db, const char *schema, sqlite3_snapshot **snapshot), (db, schema, snapshot))
HOLT_RARE(int, sqlite3_snapshot_open, holt_snapshot_open, SQLITE_MISUSE,
  (sqlite3 *db, const char *schema, sqlite3_snapshot *snapshot), (db, schema, snapshot))
HOLT_RARE(void, sqlite3_snapshot_free, holt_snapshot_free, (void)0,
  (sqlite3_snapshot *snapshot), (snapshot))

// With SQLITE_ENABLE_NORMALIZE: a statement's text without its literals, owned by the statement;
// NULL if out of memory.
HOLT_RARE(const char *, sqlite3_normalized_sql, holt_normalized_sql, NULL,
  (sqlite3_stmt *s), (s))

// Returns whether a database's file has SQLite's file header.
static inline int holt_has_plain_header(sqlite3 *db, const char *schema) {
  sqlite3_file *file = NULL;
  unsigned char header[16];
  if (sqlite3_file_control(db, schema, SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
  if (!file || !file->pMethods) return 0;
  return file->pMethods->xRead(file, header, sizeof header, 0) == SQLITE_OK
    && memcmp(header, "SQLite format 3", sizeof header) == 0;
}

// The shared state of the write-ahead log, from the header of its index: the number of its last
// commit, and the checksum of the log up to it.
// https://sqlite.org/walformat.html#the_wal_index_header
//
// The index is read from SQLite's mapping: opening and closing the file would release the process's
// locks on it. Returns 0 if there is no index, and does not create one.
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
  // A read-only process also has the index mapped.
  if ((rc != SQLITE_OK && rc != SQLITE_READONLY) || !region) return 0;
  for (int attempt = 0; attempt < 100; attempt++) {
    // The header has two copies, which differ while it is being written.
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
