// The session extension, which some builds of SQLite lack, and which sqlite3.h hides unless
// SQLITE_ENABLE_SESSION is defined.
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

// With SQLITE_ENABLE_SESSION.
HOLT_OPTIONAL(int, sqlite3session_create, holt_session_create, SQLITE_MISUSE,
  (sqlite3 *db, const char *schema, holt_session **session), (db, schema, session))
HOLT_OPTIONAL(void, sqlite3session_delete, holt_session_delete, (void)0,
  (holt_session *session), (session))
HOLT_OPTIONAL(int, sqlite3session_enable, holt_session_enable, 0,
  (holt_session *session, int value), (session, value))
HOLT_OPTIONAL(int, sqlite3session_indirect, holt_session_indirect, 0,
  (holt_session *session, int value), (session, value))
HOLT_OPTIONAL(int, sqlite3session_attach, holt_session_attach, SQLITE_MISUSE,
  (holt_session *session, const char *table), (session, table))
HOLT_OPTIONAL(void, sqlite3session_table_filter, holt_session_table_filter, (void)0,
  (holt_session *session, holt_table_filter filter, void *context), (session, filter, context))
HOLT_OPTIONAL(int, sqlite3session_changeset, holt_session_changeset, SQLITE_MISUSE,
  (holt_session *session, int *count, void **bytes), (session, count, bytes))
HOLT_OPTIONAL(int, sqlite3session_patchset, holt_session_patchset, SQLITE_MISUSE,
  (holt_session *session, int *count, void **bytes), (session, count, bytes))
HOLT_OPTIONAL(int, sqlite3session_changeset_strm, holt_session_changeset_strm, SQLITE_MISUSE,
  (holt_session *session, holt_output output, void *context), (session, output, context))
HOLT_OPTIONAL(int, sqlite3session_patchset_strm, holt_session_patchset_strm, SQLITE_MISUSE,
  (holt_session *session, holt_output output, void *context), (session, output, context))
HOLT_OPTIONAL(int, sqlite3session_diff, holt_session_diff, SQLITE_MISUSE,
  (holt_session *session, const char *schema, const char *table, char **message),
  (session, schema, table, message))
HOLT_OPTIONAL(int, sqlite3session_isempty, holt_session_is_empty, 1,
  (holt_session *session), (session))
// Since SQLite 3.36; -1 if it is not available.
HOLT_OPTIONAL(sqlite3_int64, sqlite3session_memory_used, holt_session_memory_used, -1,
  (holt_session *session), (session))
HOLT_OPTIONAL(int, sqlite3changeset_apply_v2, holt_changeset_apply, SQLITE_MISUSE,
  (sqlite3 *db, int count, void *bytes, holt_table_filter filter,
   holt_conflict_handler conflict, void *context, void **rebase, int *rebase_count, int flags),
  (db, count, bytes, filter, conflict, context, rebase, rebase_count, flags))
HOLT_OPTIONAL(int, sqlite3changeset_op, holt_changeset_op, SQLITE_MISUSE,
  (holt_changeset_iterator *change, const char **table,
   int *columns, int *operation, int *indirect),
  (change, table, columns, operation, indirect))
HOLT_OPTIONAL(int, sqlite3changeset_pk, holt_changeset_pk, SQLITE_MISUSE,
  (holt_changeset_iterator *change, unsigned char **flags, int *columns), (change, flags, columns))
HOLT_OPTIONAL(int, sqlite3changeset_old, holt_changeset_old, SQLITE_MISUSE,
  (holt_changeset_iterator *change, int column, sqlite3_value **value), (change, column, value))
HOLT_OPTIONAL(int, sqlite3changeset_new, holt_changeset_new, SQLITE_MISUSE,
  (holt_changeset_iterator *change, int column, sqlite3_value **value), (change, column, value))
HOLT_OPTIONAL(int, sqlite3changeset_conflict, holt_changeset_conflicting, SQLITE_MISUSE,
  (holt_changeset_iterator *change, int column, sqlite3_value **value), (change, column, value))
HOLT_OPTIONAL(int, sqlite3changeset_invert, holt_changeset_invert, SQLITE_MISUSE,
  (int count, const void *bytes, int *out, void **inverse), (count, bytes, out, inverse))
HOLT_OPTIONAL(int, sqlite3changegroup_new, holt_changegroup_new, SQLITE_MISUSE,
  (holt_changegroup **group), (group))
HOLT_OPTIONAL(int, sqlite3changegroup_add, holt_changegroup_add, SQLITE_MISUSE,
  (holt_changegroup *group, int count, void *bytes), (group, count, bytes))
HOLT_OPTIONAL(int, sqlite3changegroup_output, holt_changegroup_output, SQLITE_MISUSE,
  (holt_changegroup *group, int *count, void **bytes), (group, count, bytes))
HOLT_OPTIONAL(void, sqlite3changegroup_delete, holt_changegroup_delete, (void)0,
  (holt_changegroup *group), (group))
HOLT_OPTIONAL(int, sqlite3rebaser_create, holt_rebaser_create, SQLITE_MISUSE,
  (holt_rebaser **rebaser), (rebaser))
HOLT_OPTIONAL(int, sqlite3rebaser_configure, holt_rebaser_configure, SQLITE_MISUSE,
  (holt_rebaser *rebaser, int count, const void *bytes), (rebaser, count, bytes))
HOLT_OPTIONAL(int, sqlite3rebaser_rebase, holt_rebaser_rebase, SQLITE_MISUSE,
  (holt_rebaser *rebaser, int count, const void *bytes, int *out, void **rebased),
  (rebaser, count, bytes, out, rebased))
HOLT_OPTIONAL(void, sqlite3rebaser_delete, holt_rebaser_delete, (void)0,
  (holt_rebaser *rebaser), (rebaser))

// Finds the callback that the session extension stores in the preupdate hook's slot, which no
// function returns. It is read from the slot of a temporary database. The slot's offset is
// determined by storing known callbacks in it.

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

// The offset of the slot in the `sqlite3`; -1 if it can't be determined.
static inline sqlite3_int64 holt_slot_offset(sqlite3 *db) {
  const unsigned char *memory = (const unsigned char *)db;
  const sqlite3_uint64 size = sqlite3_msize(db), word = sizeof(holt_preupdate_callback);
  sqlite3_int64 found = -1;
  holt_preupdate_hook(db, holt_probe_one, NULL);
  for (sqlite3_uint64 at = 0; at + word <= size; at += word) {
    if (!holt_word_is(memory, at, holt_probe_one)) continue;
    if (found >= 0) return -1;
    found = (sqlite3_int64)at;
  }
  if (found < 0) return -1;
  holt_preupdate_hook(db, holt_probe_two, NULL);
  if (!holt_word_is(memory, found, holt_probe_two)) return -1;
  holt_preupdate_hook(db, NULL, NULL);
  return holt_word_is(memory, found, NULL) ? found : -1;
}

// NULL if the callback can't be found, or does not work for a session.
static inline holt_preupdate_callback holt_find_session_callback(void) {
  sqlite3 *db = NULL;
  holt_session *one = NULL, *two = NULL;
  holt_preupdate_callback found = NULL, again = NULL;
  if (!holt_session_create_exists() || !holt_preupdate_hook_exists()) return NULL;
  if (sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == 0) {
    const sqlite3_int64 at = holt_slot_offset(db);
    if (at >= 0 && holt_session_create(db, "main", &one) == SQLITE_OK) {
      memcpy(&found, (const unsigned char *)db + at, sizeof found);
      if (holt_session_create(db, "main", &two) == SQLITE_OK) {
        memcpy(&again, (const unsigned char *)db + at, sizeof again);
        holt_session_delete(two);
      }
      if (found != again) found = NULL;
      // Tests the callback: clears the slot, and installs the callback again with the session as
      // its context.
      if (found) {
        void *head = holt_preupdate_hook(db, NULL, NULL);
        if (head != (void *)one || !holt_word_is((const unsigned char *)db, at, NULL)) found = NULL;
        holt_preupdate_hook(db, found, head);
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
