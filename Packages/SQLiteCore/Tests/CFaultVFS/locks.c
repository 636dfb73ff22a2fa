#include "faultvfs.h"

int fault_lock(sqlite3_file *base, int level) {
  File *file = (File *)base;
  System *system = file->system;
  Node *node = file->node;
  pthread_mutex_lock(&system->mutex);
  int rc = SQLITE_OK;
  if (fault_next_of(file, FAULT_LOCK)) {
    rc = SQLITE_IOERR_LOCK;
  } else if (file->lock >= level) {
    rc = SQLITE_OK;
  } else if (level == SQLITE_LOCK_SHARED) {
    if (node->pending || node->exclusive) {
      rc = SQLITE_BUSY;
    } else {
      node->shared++;
      file->lock = SQLITE_LOCK_SHARED;
    }
  } else if (
    (node->reserved && node->reserved != file) || (node->pending && node->pending != file)) {
    rc = SQLITE_BUSY;
  } else if (level == SQLITE_LOCK_RESERVED) {
    node->reserved = file;
    file->lock = SQLITE_LOCK_RESERVED;
  } else {
    // New readers are rejected from now on; the existing ones must finish.
    node->pending = file;
    file->lock = SQLITE_LOCK_PENDING;
    if (node->shared > 1) {
      rc = SQLITE_BUSY;
    } else {
      node->exclusive = file;
      file->lock = SQLITE_LOCK_EXCLUSIVE;
    }
  }
  pthread_mutex_unlock(&system->mutex);
  return rc;
}

static void unlock(File *file, int level) {
  Node *node = file->node;
  if (file->generation != file->system->generation) return;
  if (file->lock > SQLITE_LOCK_SHARED && level <= SQLITE_LOCK_SHARED) {
    if (node->reserved == file) node->reserved = NULL;
    if (node->pending == file) node->pending = NULL;
    if (node->exclusive == file) node->exclusive = NULL;
    file->lock = SQLITE_LOCK_SHARED;
  }
  if (file->lock == SQLITE_LOCK_SHARED && level == SQLITE_LOCK_NONE) {
    node->shared--;
    file->lock = SQLITE_LOCK_NONE;
  }
}

// Also unlocks if it reports a failure, because a process that ends can't keep a lock either.
int fault_unlock(sqlite3_file *base, int level) {
  File *file = (File *)base;
  pthread_mutex_lock(&file->system->mutex);
  int rc = fault_next_of(file, FAULT_LOCK) ? SQLITE_IOERR_UNLOCK : SQLITE_OK;
  unlock(file, level);
  pthread_mutex_unlock(&file->system->mutex);
  return rc;
}

int fault_check_reserved(sqlite3_file *base, int *result) {
  File *file = (File *)base;
  pthread_mutex_lock(&file->system->mutex);
  int rc = fault_next_of(file, FAULT_LOCK) ? SQLITE_IOERR_CHECKRESERVEDLOCK : SQLITE_OK;
  *result = file->node->reserved != NULL || file->node->pending != NULL;
  pthread_mutex_unlock(&file->system->mutex);
  return rc;
}

int fault_shm_map(
  sqlite3_file *base, int region, int size, int extend, void volatile **memory) {
  File *file = (File *)base;
  Node *node = file->node;
  pthread_mutex_lock(&file->system->mutex);
  int rc = SQLITE_OK;
  *memory = NULL;
  if (fault_next_of(file, FAULT_SHM)) {
    rc = SQLITE_IOERR_SHMMAP;
  } else {
    if (!file->shm) {
      if (!node->shm) node->shm = calloc(1, sizeof(Shm));
      file->shm = node->shm;
      file->shm->refs++;
    }
    Shm *shm = file->shm;
    while (shm->region_count <= region && extend && shm->region_count < 64) {
      shm->regions[shm->region_count++] = calloc(1, (size_t)size);
    }
    if (region < shm->region_count) *memory = shm->regions[region];
  }
  pthread_mutex_unlock(&file->system->mutex);
  return rc;
}

static void shm_unlock(File *file, unsigned mask) {
  Shm *shm = file->shm;
  for (int i = 0; i < SHM_SLOTS; i++) {
    unsigned slot = 1u << i;
    if (!(mask & slot)) continue;
    if (file->shared_slots & slot) shm->shared[i]--;
    if (file->exclusive_slots & slot) shm->exclusive[i] = NULL;
  }
  file->shared_slots &= ~mask;
  file->exclusive_slots &= ~mask;
}

int fault_shm_lock(sqlite3_file *base, int offset, int n, int flags) {
  File *file = (File *)base;
  unsigned mask = ((1u << n) - 1) << offset;
  pthread_mutex_lock(&file->system->mutex);
  int rc = SQLITE_OK;
  Shm *shm = file->shm;
  if (flags & SQLITE_SHM_UNLOCK) {
    // SQLite ignores a failed unlock, so it never fails.
    if (shm) shm_unlock(file, mask);
  } else if (fault_next_of(file, FAULT_SHM) || !shm) {
    rc = SQLITE_IOERR_SHMLOCK;
  } else {
    int is_shared = (flags & SQLITE_SHM_SHARED) != 0;
    for (int i = offset; i < offset + n && rc == SQLITE_OK; i++) {
      int own = (file->shared_slots >> i) & 1;
      if (shm->exclusive[i] && shm->exclusive[i] != file) rc = SQLITE_BUSY;
      if (!is_shared && shm->shared[i] > own) rc = SQLITE_BUSY;
    }
    for (int i = offset; i < offset + n && rc == SQLITE_OK; i++) {
      unsigned slot = 1u << i;
      if (is_shared) {
        if (!(file->shared_slots & slot)) shm->shared[i]++;
        file->shared_slots |= slot;
      } else {
        shm->exclusive[i] = file;
        file->exclusive_slots |= slot;
      }
    }
  }
  pthread_mutex_unlock(&file->system->mutex);
  return rc;
}

void fault_shm_barrier(sqlite3_file *base) {
  File *file = (File *)base;
  pthread_mutex_lock(&file->system->mutex);
  pthread_mutex_unlock(&file->system->mutex);
}

static void drop_shm(File *file) {
  Shm *shm = file->shm;
  if (!shm) return;
  shm_unlock(file, ~0u);
  file->shm = NULL;
  if (--shm->refs > 0) return;
  if (file->node->shm == shm) file->node->shm = NULL;
  for (int i = 0; i < shm->region_count; i++) free(shm->regions[i]);
  free(shm);
}

int fault_shm_unmap(sqlite3_file *base, int remove) {
  File *file = (File *)base;
  (void)remove;
  pthread_mutex_lock(&file->system->mutex);
  drop_shm(file);
  pthread_mutex_unlock(&file->system->mutex);
  return SQLITE_OK;
}

void fault_drop_locks(File *file) {
  drop_shm(file);
  unlock(file, SQLITE_LOCK_NONE);
}
