// What the parts of the file system share.
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

// A change of a file since it was synced: a write, or, without bytes, a new size.
typedef struct Change {
  struct Change *next;
  // Of a new size: its place among all changes of sizes and of the directory.
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

// A file's content, whatever its name: as programs see it, and as the disk has it.
typedef struct Node {
  int refs;
  Bytes now, safe;
  Change *first, **last;
  // Created as a journal, whose first sync is to sync the directory too.
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

// A change of the directory since it was synced; without a node, a removal.
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
  // NULL until it is first mapped; after a reboot, of the dead alone.
  Shm *shm;
  unsigned shared_slots, exclusive_slots;
};

// plan.c: counts a call, and tells what becomes of it.
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
// After a power loss: what is left of the content; of its sizes, those up to `newest`. `random` is a
// generator's state.
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
