#include <stdio.h>

#include "faultvfs.h"

static int open_file(
  sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *out_flags) {
  System *system = vfs->pAppData;
  File *file = (File *)base;
  memset(file, 0, sizeof(File));
  pthread_mutex_lock(&system->mutex);
  int rc = SQLITE_OK;
  Node *node = name ? fault_find(&system->now, name) : NULL;
  if (fault_next(system, FAULT_OPEN)) {
    rc = SQLITE_CANTOPEN;
  } else if (name && !node && !(flags & SQLITE_OPEN_CREATE)) {
    rc = SQLITE_CANTOPEN;
  } else {
    if (!node) {
      node = fault_node();
      node->syncs_directory =
        (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL)) != 0;
      if (name) fault_move(system, name, node);
    }
    fault_retain(node);
    file->base.pMethods = &fault_methods;
    file->system = system;
    file->node = node;
    file->generation = system->generation;
    file->flags = flags;
    system->open_files++;
    if (out_flags) *out_flags = flags;
  }
  pthread_mutex_unlock(&system->mutex);
  return rc;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int sync_directory) {
  System *system = vfs->pAppData;
  pthread_mutex_lock(&system->mutex);
  int rc = SQLITE_OK;
  if (fault_next(system, FAULT_DELETE)) {
    rc = SQLITE_IOERR_DELETE;
  } else if (!fault_find(&system->now, name)) {
    rc = SQLITE_IOERR_DELETE_NOENT;
  } else {
    fault_move(system, name, NULL);
    if (sync_directory) fault_sync_directory(system);
  }
  pthread_mutex_unlock(&system->mutex);
  return rc;
}

static int access_file(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  System *system = vfs->pAppData;
  pthread_mutex_lock(&system->mutex);
  int rc = fault_next(system, FAULT_ACCESS) ? SQLITE_IOERR_ACCESS : SQLITE_OK;
  Node *node = fault_find(&system->now, name);
  // As in SQLite's own file systems, an empty file does not exist here.
  *result = node != NULL && (flags != SQLITE_ACCESS_EXISTS || node->now.size > 0);
  pthread_mutex_unlock(&system->mutex);
  return rc;
}

static int full_pathname(sqlite3_vfs *vfs, const char *name, int size, char *out) {
  (void)vfs;
  sqlite3_snprintf(size, out, "%s", name);
  return SQLITE_OK;
}

// The remaining functions call the default file system.
static int randomness(sqlite3_vfs *vfs, int size, char *out) {
  (void)vfs;
  sqlite3_vfs *other = sqlite3_vfs_find(NULL);
  return other->xRandomness(other, size, out);
}

static int sleep_for(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  sqlite3_vfs *other = sqlite3_vfs_find(NULL);
  return other->xSleep(other, microseconds);
}

static int current_time(sqlite3_vfs *vfs, double *out) {
  (void)vfs;
  sqlite3_vfs *other = sqlite3_vfs_find(NULL);
  return other->xCurrentTime(other, out);
}

static int last_error(sqlite3_vfs *vfs, int size, char *out) {
  (void)vfs, (void)size, (void)out;
  return 0;
}

void fault_fill(System *system) {
  system->vfs = (sqlite3_vfs){
    .iVersion = 1,
    .szOsFile = sizeof(File),
    .mxPathname = 512,
    .zName = system->name,
    .pAppData = system,
    .xOpen = open_file,
    .xDelete = delete_file,
    .xAccess = access_file,
    .xFullPathname = full_pathname,
    .xRandomness = randomness,
    .xSleep = sleep_for,
    .xCurrentTime = current_time,
    .xGetLastError = last_error,
  };
}
