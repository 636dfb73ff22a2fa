// Virtual tables and tokenizers: structures that extend SQLite's, and variadic functions that Swift
// can't import.
#ifndef HOLT_CSQLITE_MODULES_H
#define HOLT_CSQLITE_MODULES_H

#include "shim.h"

// SQLite requires its table and cursor as the first members.
typedef struct holt_vtab {
  sqlite3_vtab base;
  void *state;
} holt_vtab;

typedef struct holt_vtab_cursor {
  sqlite3_vtab_cursor base;
  void *state;
} holt_vtab_cursor;

// Copies a text into memory that SQLite frees.
static inline char *holt_copy_text(const char *text) { return sqlite3_mprintf("%s", text); }

// SQLITE_VTAB_CONSTRAINT_SUPPORT.
static inline int holt_vtab_constraint_support(sqlite3 *db) { return sqlite3_vtab_config(db, 1, 1); }

// SQLITE_VTAB_INNOCUOUS, since SQLite 3.31.
static inline int holt_vtab_innocuous(sqlite3 *db) { return sqlite3_vtab_config(db, 2); }

// Since SQLite 3.38; 0, which requires the exact order, in earlier releases.
static inline int holt_vtab_distinct(sqlite3_index_info *info) {
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_vtab_distinct(info);
#else
  (void)info;
  return 0;
#endif
}

// sqlite3_vtab_in, since SQLite 3.38: returns whether a constraint is a list, and requests the list as a whole.
static inline int holt_vtab_in(sqlite3_index_info *info, int constraint, int handle) {
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_vtab_in(info, constraint, handle);
#else
  (void)info; (void)constraint; (void)handle;
  return 0;
#endif
}

static inline int holt_vtab_in_first(sqlite3_value *list, sqlite3_value **value) {
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_vtab_in_first(list, value);
#else
  (void)list; (void)value;
  return SQLITE_ERROR;
#endif
}

static inline int holt_vtab_in_next(sqlite3_value *list, sqlite3_value **value) {
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_vtab_in_next(list, value);
#else
  (void)list; (void)value;
  return SQLITE_ERROR;
#endif
}

// The literal on a constraint's right side, since SQLite 3.38; NULL if it is not a literal.
static inline sqlite3_value *holt_vtab_rhs_value(sqlite3_index_info *info, int constraint) {
#if SQLITE_VERSION_NUMBER >= 3038000
  sqlite3_value *value = NULL;
  return sqlite3_vtab_rhs_value(info, constraint, &value) == SQLITE_OK ? value : NULL;
#else
  (void)info; (void)constraint;
  return NULL;
#endif
}

typedef int (*holt_integrity_check)(
  sqlite3_vtab *table, const char *schema, const char *name, int flags, char **message);

// Since SQLite 3.44; earlier releases never call it.
static inline void holt_set_integrity_check(sqlite3_module *module, holt_integrity_check f) {
#if SQLITE_VERSION_NUMBER >= 3044000
  module->iVersion = 4;
  module->xIntegrity = f;
#else
  (void)module; (void)f;
#endif
}

// FTS5's interface: https://sqlite.org/fts5.html#extending_fts5
//
// NULL if the connection has no FTS5.
static inline int holt_fts5_api(sqlite3 *db, fts5_api **api) {
  sqlite3_stmt *s = NULL;
  *api = NULL;
  int rc = sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &s, NULL);
  // "no such function"
  if (rc != SQLITE_OK) return rc == SQLITE_ERROR ? SQLITE_OK : rc;
  rc = sqlite3_bind_pointer(s, 1, (void *)api, "fts5_api_ptr", NULL);
  if (rc == SQLITE_OK) sqlite3_step(s);
  int failure = sqlite3_finalize(s);
  return rc == SQLITE_OK ? failure : rc;
}

#endif
