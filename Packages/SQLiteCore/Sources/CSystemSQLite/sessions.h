// The session extension, which sqlite3.h hides unless SQLITE_ENABLE_SESSION is defined, and which some
// builds of SQLite lack: everything is looked up at run time.
#ifndef HOLT_CSQLITE_SESSIONS_H
#define HOLT_CSQLITE_SESSIONS_H

#include "shim.h"
#include <string.h>

typedef struct sqlite3_session holt_session;
typedef struct sqlite3_changeset_iter holt_changeset_iterator;
typedef struct sqlite3_changegroup holt_changegroup;
typedef struct sqlite3_rebaser holt_rebaser;

typedef int (*holt_table_filter)(void *context, const char *table);
typedef int (*holt_conflict_handler)(void *context, int kind, holt_changeset_iterator *change);
typedef int (*holt_output)(void *context, const void *bytes, int count);

enum {
  holt_changeset_data = 1,
  holt_changeset_not_found = 2,
  holt_changeset_conflict = 3,
  holt_changeset_constraint = 4,
  holt_changeset_foreign_key = 5,
  holt_changeset_omit = 0,
  holt_changeset_replace = 1,
  holt_changeset_abort = 2,
  holt_apply_no_savepoint = 1,
  holt_apply_invert = 2,
  holt_apply_ignore_noop = 4
};

// `f`: the function of this name, or NULL.
#define HOLT_LOOK_UP(result, name, ...) \
  typedef result (*holt_function)(__VA_ARGS__); \
  static void *known = NULL; \
  holt_function f = (holt_function)holt_symbol_once(&known, name)

static inline int holt_has_sessions(void) {
  return holt_symbol("sqlite3session_create") != NULL
    && holt_symbol("sqlite3changeset_apply_v2") != NULL
    && holt_symbol("sqlite3rebaser_create") != NULL;
}

static inline int holt_session_create(sqlite3 *db, const char *schema, holt_session **session) {
  HOLT_LOOK_UP(int, "sqlite3session_create", sqlite3 *, const char *, holt_session **);
  return f ? f(db, schema, session) : SQLITE_MISUSE;
}

static inline void holt_session_delete(holt_session *session) {
  HOLT_LOOK_UP(void, "sqlite3session_delete", holt_session *);
  if (f) f(session);
}

static inline int holt_session_enable(holt_session *session, int value) {
  HOLT_LOOK_UP(int, "sqlite3session_enable", holt_session *, int);
  return f ? f(session, value) : 0;
}

static inline int holt_session_indirect(holt_session *session, int value) {
  HOLT_LOOK_UP(int, "sqlite3session_indirect", holt_session *, int);
  return f ? f(session, value) : 0;
}

static inline int holt_session_attach(holt_session *session, const char *table) {
  HOLT_LOOK_UP(int, "sqlite3session_attach", holt_session *, const char *);
  return f ? f(session, table) : SQLITE_MISUSE;
}

static inline void holt_session_table_filter(
  holt_session *session, holt_table_filter filter, void *context) {
  HOLT_LOOK_UP(void, "sqlite3session_table_filter", holt_session *, holt_table_filter, void *);
  if (f) f(session, filter, context);
}

static inline int holt_session_changeset(holt_session *session, int *count, void **bytes) {
  HOLT_LOOK_UP(int, "sqlite3session_changeset", holt_session *, int *, void **);
  return f ? f(session, count, bytes) : SQLITE_MISUSE;
}

static inline int holt_session_patchset(holt_session *session, int *count, void **bytes) {
  HOLT_LOOK_UP(int, "sqlite3session_patchset", holt_session *, int *, void **);
  return f ? f(session, count, bytes) : SQLITE_MISUSE;
}

static inline int holt_session_changeset_strm(
  holt_session *session, holt_output output, void *context) {
  HOLT_LOOK_UP(int, "sqlite3session_changeset_strm", holt_session *, holt_output, void *);
  return f ? f(session, output, context) : SQLITE_MISUSE;
}

static inline int holt_session_patchset_strm(
  holt_session *session, holt_output output, void *context) {
  HOLT_LOOK_UP(int, "sqlite3session_patchset_strm", holt_session *, holt_output, void *);
  return f ? f(session, output, context) : SQLITE_MISUSE;
}

static inline int holt_session_diff(
  holt_session *session, const char *schema, const char *table, char **message) {
  HOLT_LOOK_UP(
    int, "sqlite3session_diff", holt_session *, const char *, const char *, char **);
  return f ? f(session, schema, table, message) : SQLITE_MISUSE;
}

static inline int holt_session_is_empty(holt_session *session) {
  HOLT_LOOK_UP(int, "sqlite3session_isempty", holt_session *);
  return f ? f(session) : 1;
}

// Since SQLite 3.36; -1 where there is none.
static inline sqlite3_int64 holt_session_memory_used(holt_session *session) {
  HOLT_LOOK_UP(sqlite3_int64, "sqlite3session_memory_used", holt_session *);
  return f ? f(session) : -1;
}

static inline int holt_changeset_apply(
  sqlite3 *db, int count, void *bytes, holt_table_filter filter, holt_conflict_handler conflict,
  void *context, void **rebase, int *rebase_count, int flags) {
  HOLT_LOOK_UP(
    int, "sqlite3changeset_apply_v2", sqlite3 *, int, void *, holt_table_filter,
    holt_conflict_handler, void *, void **, int *, int);
  return f ? f(db, count, bytes, filter, conflict, context, rebase, rebase_count, flags)
           : SQLITE_MISUSE;
}

static inline int holt_changeset_op(
  holt_changeset_iterator *change, const char **table, int *columns, int *operation,
  int *indirect) {
  HOLT_LOOK_UP(
    int, "sqlite3changeset_op", holt_changeset_iterator *, const char **, int *, int *, int *);
  return f ? f(change, table, columns, operation, indirect) : SQLITE_MISUSE;
}

static inline int holt_changeset_pk(
  holt_changeset_iterator *change, unsigned char **flags, int *columns) {
  HOLT_LOOK_UP(int, "sqlite3changeset_pk", holt_changeset_iterator *, unsigned char **, int *);
  return f ? f(change, flags, columns) : SQLITE_MISUSE;
}

static inline int holt_changeset_old(
  holt_changeset_iterator *change, int column, sqlite3_value **value) {
  HOLT_LOOK_UP(int, "sqlite3changeset_old", holt_changeset_iterator *, int, sqlite3_value **);
  return f ? f(change, column, value) : SQLITE_MISUSE;
}

static inline int holt_changeset_new(
  holt_changeset_iterator *change, int column, sqlite3_value **value) {
  HOLT_LOOK_UP(int, "sqlite3changeset_new", holt_changeset_iterator *, int, sqlite3_value **);
  return f ? f(change, column, value) : SQLITE_MISUSE;
}

static inline int holt_changeset_conflicting(
  holt_changeset_iterator *change, int column, sqlite3_value **value) {
  HOLT_LOOK_UP(
    int, "sqlite3changeset_conflict", holt_changeset_iterator *, int, sqlite3_value **);
  return f ? f(change, column, value) : SQLITE_MISUSE;
}

static inline int holt_changeset_invert(int count, const void *bytes, int *out, void **inverse) {
  HOLT_LOOK_UP(int, "sqlite3changeset_invert", int, const void *, int *, void **);
  return f ? f(count, bytes, out, inverse) : SQLITE_MISUSE;
}

static inline int holt_changegroup_new(holt_changegroup **group) {
  HOLT_LOOK_UP(int, "sqlite3changegroup_new", holt_changegroup **);
  return f ? f(group) : SQLITE_MISUSE;
}

static inline int holt_changegroup_add(holt_changegroup *group, int count, void *bytes) {
  HOLT_LOOK_UP(int, "sqlite3changegroup_add", holt_changegroup *, int, void *);
  return f ? f(group, count, bytes) : SQLITE_MISUSE;
}

static inline int holt_changegroup_output(holt_changegroup *group, int *count, void **bytes) {
  HOLT_LOOK_UP(int, "sqlite3changegroup_output", holt_changegroup *, int *, void **);
  return f ? f(group, count, bytes) : SQLITE_MISUSE;
}

static inline void holt_changegroup_delete(holt_changegroup *group) {
  HOLT_LOOK_UP(void, "sqlite3changegroup_delete", holt_changegroup *);
  if (f) f(group);
}

static inline int holt_rebaser_create(holt_rebaser **rebaser) {
  HOLT_LOOK_UP(int, "sqlite3rebaser_create", holt_rebaser **);
  return f ? f(rebaser) : SQLITE_MISUSE;
}

static inline int holt_rebaser_configure(holt_rebaser *rebaser, int count, const void *bytes) {
  HOLT_LOOK_UP(int, "sqlite3rebaser_configure", holt_rebaser *, int, const void *);
  return f ? f(rebaser, count, bytes) : SQLITE_MISUSE;
}

static inline int holt_rebaser_rebase(
  holt_rebaser *rebaser, int count, const void *bytes, int *out, void **rebased) {
  HOLT_LOOK_UP(
    int, "sqlite3rebaser_rebase", holt_rebaser *, int, const void *, int *, void **);
  return f ? f(rebaser, count, bytes, out, rebased) : SQLITE_MISUSE;
}

static inline void holt_rebaser_delete(holt_rebaser *rebaser) {
  HOLT_LOOK_UP(void, "sqlite3rebaser_delete", holt_rebaser *);
  if (f) f(rebaser);
}

#undef HOLT_LOOK_UP

// Fills the preupdate hook's slot, and gives the context that was there.
static inline void *holt_preupdate_exchange(
  sqlite3 *db, holt_preupdate_callback f, void *context) {
  typedef void *(*function)(sqlite3 *, holt_preupdate_callback, void *);
  static void *known = NULL;
  function hook = (function)holt_symbol_once(&known, "sqlite3_preupdate_hook");
  return hook ? hook(db, f, context) : NULL;
}

// What follows finds the callback with which the session extension fills the preupdate hook's slot: no
// function gives it away. It is read out of the slot of a database that is made for that and thrown away;
// where the slot is, is found by filling it with callbacks that are known.

static inline void holt_probe_one(
  void *context, sqlite3 *db, int operation, const char *schema, const char *table,
  sqlite3_int64 old_rowid, sqlite3_int64 new_rowid) {
  (void)db; (void)operation; (void)schema; (void)table; (void)old_rowid; (void)new_rowid;
  if (context) *(int *)context += 1;
}

static inline void holt_probe_two(
  void *context, sqlite3 *db, int operation, const char *schema, const char *table,
  sqlite3_int64 old_rowid, sqlite3_int64 new_rowid) {
  (void)db; (void)operation; (void)schema; (void)table; (void)old_rowid; (void)new_rowid;
  if (context) *(int *)context += 2;
}

static inline int holt_word_is(
  const unsigned char *memory, sqlite3_uint64 offset, holt_preupdate_callback value) {
  return memcmp(memory + offset, &value, sizeof value) == 0;
}

// The place of the slot in the `sqlite3`; -1 where it is not to be told.
static inline sqlite3_int64 holt_slot_offset(sqlite3 *db) {
  const unsigned char *memory = (const unsigned char *)db;
  const sqlite3_uint64 size = sqlite3_msize(db), word = sizeof(holt_preupdate_callback);
  sqlite3_int64 found = -1;
  holt_preupdate_exchange(db, holt_probe_one, NULL);
  for (sqlite3_uint64 at = 0; at + word <= size; at += word) {
    if (!holt_word_is(memory, at, holt_probe_one)) continue;
    if (found >= 0) return -1;
    found = (sqlite3_int64)at;
  }
  if (found < 0) return -1;
  holt_preupdate_exchange(db, holt_probe_two, NULL);
  if (!holt_word_is(memory, found, holt_probe_two)) return -1;
  holt_preupdate_exchange(db, NULL, NULL);
  return holt_word_is(memory, found, NULL) ? found : -1;
}

// NULL where it can't be found, or where it is found and does not do what a session needs.
static inline holt_preupdate_callback holt_find_session_callback(void) {
  sqlite3 *db = NULL;
  holt_session *one = NULL, *two = NULL;
  holt_preupdate_callback found = NULL, again = NULL;
  if (!holt_has_sessions() || !holt_has_preupdate()) return NULL;
  if (sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == 0) {
    const sqlite3_int64 at = holt_slot_offset(db);
    if (at >= 0 && holt_session_create(db, "main", &one) == SQLITE_OK) {
      memcpy(&found, (const unsigned char *)db + at, sizeof found);
      if (holt_session_create(db, "main", &two) == SQLITE_OK) {
        memcpy(&again, (const unsigned char *)db + at, sizeof again);
        holt_session_delete(two);
      }
      if (found != again) found = NULL;
      // The slot is emptied, and the callback called as it would be for a session that it leads to.
      if (found) {
        void *head = holt_preupdate_exchange(db, NULL, NULL);
        if (head != (void *)one || !holt_word_is((const unsigned char *)db, at, NULL)) found = NULL;
        holt_preupdate_exchange(db, found, head);
      }
      if (found) {
        int failed = holt_session_attach(one, NULL)
          || sqlite3_exec(
            db, "CREATE TABLE t (a INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)", 0, 0, 0)
          || holt_session_is_empty(one);
        if (failed) found = NULL;
      }
      holt_session_delete(one);
    }
  }
  sqlite3_close_v2(db);
  return found;
}

#endif
