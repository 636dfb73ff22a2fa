// Declarations shared by the parts of the file system.
#ifndef HOLT_FAULTVFS_INTERNAL_H
#define HOLT_FAULTVFS_INTERNAL_H

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "include/faultvfs.h"

#define SHM_SLOTS 8

typedef struct Bytes {
  unsigned char *data;
  sqlite3_int64 size, capacity;
} Bytes;

// A change of a file since its last sync: a write, or a new size if `size` is negative.
typedef struct Change {
  struct Change *next;
  // For a new size: its position among all size and directory changes.
  unsigned long long order;
  sqlite3_int64 offset;
  int size;
  unsigned char bytes[];
} Change;

typedef struct File File;

typedef struct Shm {
  int refs;
  int region_count;
  void *regions[64];
  int shared[SHM_SLOTS];
  File *exclusive[SHM_SLOTS];
} Shm;

// A file's content, independent of its name: `now` as programs see it, `safe` as on the disk.
typedef struct Node {
  int refs;
  Bytes now, safe;
  Change *first, **last;
  // Created as a journal, whose first sync also syncs the directory.
  int syncs_directory;
  int shared;
  File *reserved, *pending, *exclusive;
  Shm *shm;
} Node;

typedef struct Entry {
  char *name;
  Node *node;
} Entry;

typedef struct Directory {
  Entry *entries;
  int count, capacity;
} Directory;

// A change of the directory since its last sync; a removal if `node` is NULL.
typedef struct Move {
  struct Move *next;
  unsigned long long order;
  Node *node;
  char name[];
} Move;

typedef struct System {
  sqlite3_vfs vfs;
  char name[24];
  pthread_mutex_t mutex;
  int open_files;
  // Files that were opened before the last reboot are dead.
  unsigned generation;
  Directory now, safe;
  Move *first, **last;
  unsigned long long order;
  int kind, action, lasting, is_off;
  long long n, strikes;
  long long calls[FAULT_KINDS];
} System;

struct File {
  sqlite3_file base;
  System *system;
  Node *node;
  unsigned generation;
  int flags;
  int lock;
  // NULL until it is first mapped. After a reboot, only dead files share it.
  Shm *shm;
  unsigned shared_slots, exclusive_slots;
};

// plan.c: counts a call, and returns its fault.
int fault_next(System *system, int kind);
int fault_next_of(File *file, int kind);

// content.c
void fault_apply(Bytes *bytes, sqlite3_int64 offset, const void *data, int size);
void fault_resize(Bytes *bytes, sqlite3_int64 size);
void fault_record(
  System *system, Node *node, sqlite3_int64 offset, const void *data, int size);
void fault_sync(Node *node);
Node *fault_node(void);
void fault_retain(Node *node);
void fault_release(Node *node);
// Applies the unsynced changes that survive a power loss; of the size changes, those up to
// `newest`. `random` is the state of a generator.
void fault_settle(
  Node *node, int survival, unsigned long long newest, unsigned long long *random);
unsigned long long fault_random(unsigned long long *state);

// directory.c
Node *fault_find(Directory *directory, const char *name);
void fault_set(Directory *directory, const char *name, Node *node);
void fault_empty(Directory *directory);
void fault_move(System *system, const char *name, Node *node);
void fault_sync_directory(System *system);
void fault_settle_directory(System *system, int survival, unsigned long long *random);

// locks.c
int fault_lock(sqlite3_file *file, int level);
int fault_unlock(sqlite3_file *file, int level);
int fault_check_reserved(sqlite3_file *file, int *result);
int fault_shm_map(sqlite3_file *file, int region, int size, int extend, void volatile **memory);
int fault_shm_lock(sqlite3_file *file, int offset, int n, int flags);
void fault_shm_barrier(sqlite3_file *file);
int fault_shm_unmap(sqlite3_file *file, int remove);
void fault_drop_locks(File *file);

// io.c
extern const sqlite3_io_methods fault_methods;

// vfs.c
void fault_fill(System *system);

#endif
