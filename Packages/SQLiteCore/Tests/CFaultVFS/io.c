#include "faultvfs.h"

static int close_file(sqlite3_file *base) {
  File *file = (File *)base;
  System *system = file->system;
  pthread_mutex_lock(&system->mutex);
  fault_drop_locks(file);
  fault_release(file->node);
  system->open_files--;
  pthread_mutex_unlock(&system->mutex);
  return SQLITE_OK;
}

static int read_file(sqlite3_file *base, void *out, int size, sqlite3_int64 offset) {
  File *file = (File *)base;
  pthread_mutex_lock(&file->system->mutex);
  int rc = SQLITE_OK;
  if (fault_next_of(file, FAULT_READ)) {
    rc = SQLITE_IOERR_READ;
  } else {
    Bytes *bytes = &file->node->now;
    sqlite3_int64 there = bytes->size - offset;
    int count = there <= 0 ? 0 : there < size ? (int)there : size;
    if (count > 0) memcpy(out, bytes->data + offset, (size_t)count);
    if (count < size) {
      memset((char *)out + count, 0, (size_t)(size - count));
      rc = SQLITE_IOERR_SHORT_READ;
    }
  }
  pthread_mutex_unlock(&file->system->mutex);
  return rc;
}

static int write_file(sqlite3_file *base, const void *data, int size, sqlite3_int64 offset) {
  File *file = (File *)base;
  pthread_mutex_lock(&file->system->mutex);
  int rc = SQLITE_OK;
  if (file->flags & SQLITE_OPEN_READONLY) {
    rc = SQLITE_READONLY;
  } else {
    switch (fault_next_of(file, FAULT_WRITE)) {
      case FAULT_NOTHING: break;
      case FAULT_SHORT:
        rc = SQLITE_IOERR_WRITE;
        size = size * 2 / 3;
        break;
      case FAULT_FULL:
        rc = SQLITE_FULL;
        size /= 3;
        break;
      default:
        rc = SQLITE_IOERR_WRITE;
        // The power may fail during the write: the reboot decides which bytes survive.
        if (file->generation != file->system->generation || !file->system->is_off
            || file->system->strikes > 1) size = 0;
    }
    if (size > 0) fault_record(file->system, file->node, offset, data, size);
  }
  pthread_mutex_unlock(&file->system->mutex);
  return rc;
}

static int truncate_file(sqlite3_file *base, sqlite3_int64 size) {
  File *file = (File *)base;
  pthread_mutex_lock(&file->system->mutex);
  int rc = SQLITE_OK;
  if (fault_next_of(file, FAULT_TRUNCATE)) {
    rc = SQLITE_IOERR_TRUNCATE;
  } else {
    fault_record(file->system, file->node, size, NULL, -1);
  }
  pthread_mutex_unlock(&file->system->mutex);
  return rc;
}

static int sync_file(sqlite3_file *base, int flags) {
  File *file = (File *)base;
  (void)flags;
  pthread_mutex_lock(&file->system->mutex);
  int rc = SQLITE_OK;
  if (fault_next_of(file, FAULT_SYNC)) {
    rc = SQLITE_IOERR_FSYNC;
  } else {
    fault_sync(file->node);
    if (file->node->syncs_directory) {
      fault_sync_directory(file->system);
      file->node->syncs_directory = 0;
    }
  }
  pthread_mutex_unlock(&file->system->mutex);
  return rc;
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size) {
  File *file = (File *)base;
  pthread_mutex_lock(&file->system->mutex);
  int rc = fault_next_of(file, FAULT_SIZE) ? SQLITE_IOERR_FSTAT : SQLITE_OK;
  if (rc == SQLITE_OK) *size = file->node->now.size;
  pthread_mutex_unlock(&file->system->mutex);
  return rc;
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  (void)file, (void)operation, (void)argument;
  return SQLITE_NOTFOUND;
}

static int sector_size(sqlite3_file *file) {
  (void)file;
  return 4096;
}

// As in SQLite's own file systems: a write does not affect the bytes next to it.
static int characteristics(sqlite3_file *file) {
  (void)file;
  return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

const sqlite3_io_methods fault_methods = {
  .iVersion = 2,
  .xClose = close_file,
  .xRead = read_file,
  .xWrite = write_file,
  .xTruncate = truncate_file,
  .xSync = sync_file,
  .xFileSize = file_size,
  .xLock = fault_lock,
  .xUnlock = fault_unlock,
  .xCheckReservedLock = fault_check_reserved,
  .xFileControl = file_control,
  .xSectorSize = sector_size,
  .xDeviceCharacteristics = characteristics,
  .xShmMap = fault_shm_map,
  .xShmLock = fault_shm_lock,
  .xShmBarrier = fault_shm_barrier,
  .xShmUnmap = fault_shm_unmap,
};
