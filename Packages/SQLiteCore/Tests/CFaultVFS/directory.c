#include "faultvfs.h"

static int index_of(Directory *directory, const char *name) {
  for (int i = 0; i < directory->count; i++) {
    if (strcmp(directory->entries[i].name, name) == 0) return i;
  }
  return -1;
}

Node *fault_find(Directory *directory, const char *name) {
  int i = index_of(directory, name);
  return i < 0 ? NULL : directory->entries[i].node;
}

static char *copy_of(const char *name) {
  size_t size = strlen(name) + 1;
  return memcpy(malloc(size), name, size);
}

// Sets the node of a name; NULL removes the name.
void fault_set(Directory *directory, const char *name, Node *node) {
  int i = index_of(directory, name);
  if (node) fault_retain(node);
  if (i >= 0) {
    Node *old = directory->entries[i].node;
    directory->entries[i].node = node;
    if (!node) {
      free(directory->entries[i].name);
      directory->entries[i] = directory->entries[--directory->count];
    }
    fault_release(old);
  } else if (node) {
    if (directory->count == directory->capacity) {
      directory->capacity = directory->capacity * 2 + 8;
      directory->entries =
        realloc(directory->entries, (size_t)directory->capacity * sizeof(Entry));
    }
    directory->entries[directory->count++] = (Entry){copy_of(name), node};
  }
}

void fault_empty(Directory *directory) {
  for (int i = 0; i < directory->count; i++) {
    free(directory->entries[i].name);
    fault_release(directory->entries[i].node);
  }
  free(directory->entries);
  *directory = (Directory){0};
}

void fault_move(System *system, const char *name, Node *node) {
  fault_set(&system->now, name, node);
  Move *move = malloc(sizeof(Move) + strlen(name) + 1);
  move->next = NULL;
  move->order = ++system->order;
  move->node = node;
  if (node) fault_retain(node);
  strcpy(move->name, name);
  *system->last = move;
  system->last = &move->next;
}

// Makes the changes up to `newest` durable, and discards the others.
static void settle(System *system, unsigned long long newest) {
  while (system->first) {
    Move *move = system->first;
    if (move->order <= newest) fault_set(&system->safe, move->name, move->node);
    system->first = move->next;
    if (move->node) fault_release(move->node);
    free(move);
  }
  system->last = &system->first;
}

void fault_sync_directory(System *system) { settle(system, system->order); }

// Returns the newest size or directory change that survives. File systems preserve the order of
// these changes, and SQLite relies on that: it truncates a database after removing the journal.
static unsigned long long newest(System *system, int survival, unsigned long long *random) {
  if (survival == FAULT_LOSE_ALL) return 0;
  if (survival == FAULT_KEEP_ALL) return system->order;
  unsigned long long oldest = system->order + 1;
  if (system->first) oldest = system->first->order;
  for (int i = 0; i < system->safe.count; i++) {
    for (Change *change = system->safe.entries[i].node->first; change; change = change->next) {
      if (change->size < 0 && change->order < oldest) oldest = change->order;
    }
  }
  return oldest - 1 + fault_random(random) % (system->order - oldest + 2);
}

void fault_settle_directory(System *system, int survival, unsigned long long *random) {
  unsigned long long last = newest(system, survival, random);
  settle(system, last);
  fault_empty(&system->now);
  for (int i = 0; i < system->safe.count; i++) {
    Entry entry = system->safe.entries[i];
    fault_settle(entry.node, survival, last, random);
    fault_set(&system->now, entry.name, entry.node);
  }
}
