#include <stdio.h>

#include "faultvfs.h"

#define MOST_SYSTEMS 256

static pthread_mutex_t table_mutex = PTHREAD_MUTEX_INITIALIZER;
static System *table[MOST_SYSTEMS];

// Returns the file system with this number, locked, or NULL if there is none.
static System *locked(int id) {
  pthread_mutex_lock(&table_mutex);
  System *system = id >= 0 && id < MOST_SYSTEMS ? table[id] : NULL;
  if (system) pthread_mutex_lock(&system->mutex);
  pthread_mutex_unlock(&table_mutex);
  return system;
}

int fault_make(void) {
  pthread_mutex_lock(&table_mutex);
  int id = 0;
  while (id < MOST_SYSTEMS && table[id]) id++;
  if (id == MOST_SYSTEMS) {
    id = -1;
  } else {
    System *system = calloc(1, sizeof(System));
    pthread_mutex_init(&system->mutex, NULL);
    snprintf(system->name, sizeof system->name, "fault-%d", id);
    system->last = &system->first;
    fault_fill(system);
    sqlite3_vfs_register(&system->vfs, 0);
    table[id] = system;
  }
  pthread_mutex_unlock(&table_mutex);
  return id;
}

static void switch_off(System *system) {
  memset(system->calls, 0, sizeof system->calls);
  system->kind = system->action = system->lasting = system->is_off = 0;
  system->strikes = 0;
  system->generation++;
}

static void clear(System *system) {
  unsigned long long random = 0;
  switch_off(system);
  fault_settle_directory(system, FAULT_LOSE_ALL, &random);
  fault_empty(&system->now);
  fault_empty(&system->safe);
}

void fault_free(int id) {
  System *system = locked(id);
  if (!system) return;
  clear(system);
  int is_in_use = system->open_files > 0;
  pthread_mutex_unlock(&system->mutex);
  pthread_mutex_lock(&table_mutex);
  table[id] = NULL;
  sqlite3_vfs_unregister(&system->vfs);
  pthread_mutex_unlock(&table_mutex);
  if (is_in_use) return;
  pthread_mutex_destroy(&system->mutex);
  free(system);
}

void fault_clear(int id) {
  System *system = locked(id);
  if (!system) return;
  clear(system);
  pthread_mutex_unlock(&system->mutex);
}

void fault_plan(int id, int kind, long long n, int action, int lasting) {
  System *system = locked(id);
  if (!system) return;
  memset(system->calls, 0, sizeof system->calls);
  system->kind = kind;
  system->n = n;
  system->action = action;
  system->lasting = lasting;
  system->strikes = 0;
  pthread_mutex_unlock(&system->mutex);
}

long long fault_calls(int id, int kind) {
  System *system = locked(id);
  if (!system || kind < 0 || kind >= FAULT_KINDS) return -1;
  long long calls = system->calls[kind];
  pthread_mutex_unlock(&system->mutex);
  return calls;
}

long long fault_strikes(int id) {
  System *system = locked(id);
  if (!system) return -1;
  long long strikes = system->strikes;
  pthread_mutex_unlock(&system->mutex);
  return strikes;
}

int fault_open_files(int id) {
  System *system = locked(id);
  if (!system) return -1;
  int count = system->open_files;
  pthread_mutex_unlock(&system->mutex);
  return count;
}

void fault_reboot(int id, int survival, unsigned long long seed) {
  System *system = locked(id);
  if (!system) return;
  switch_off(system);
  fault_settle_directory(system, survival, &seed);
  pthread_mutex_unlock(&system->mutex);
}
