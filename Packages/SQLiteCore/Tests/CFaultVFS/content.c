#include "faultvfs.h"

// SplitMix64.
unsigned long long fault_random(unsigned long long *state) {
  unsigned long long z = (*state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

void fault_resize(Bytes *bytes, sqlite3_int64 size) {
  if (size > bytes->capacity) {
    sqlite3_int64 capacity = size * 2;
    bytes->data = realloc(bytes->data, (size_t)capacity);
    bytes->capacity = capacity;
  }
  if (size > bytes->size) memset(bytes->data + bytes->size, 0, (size_t)(size - bytes->size));
  bytes->size = size;
}

void fault_apply(Bytes *bytes, sqlite3_int64 offset, const void *data, int size) {
  if (size < 0) {
    fault_resize(bytes, offset);
    return;
  }
  if (offset + size > bytes->size) fault_resize(bytes, offset + size);
  if (size > 0) memcpy(bytes->data + offset, data, (size_t)size);
}

// Changes the content that programs see. With size -1, `offset` is the file's new size.
void fault_record(
  System *system, Node *node, sqlite3_int64 offset, const void *data, int size) {
  fault_apply(&node->now, offset, data, size);
  Change *change = malloc(sizeof(Change) + (size > 0 ? (size_t)size : 0));
  change->next = NULL;
  change->order = size < 0 ? ++system->order : 0;
  change->offset = offset;
  change->size = size;
  if (size > 0) memcpy(change->bytes, data, (size_t)size);
  *node->last = change;
  node->last = &change->next;
}

static void forget(Node *node) {
  while (node->first) {
    Change *change = node->first;
    node->first = change->next;
    free(change);
  }
  node->last = &node->first;
}

void fault_sync(Node *node) {
  for (Change *change = node->first; change; change = change->next) {
    fault_apply(&node->safe, change->offset, change->bytes, change->size);
  }
  forget(node);
}

Node *fault_node(void) {
  Node *node = calloc(1, sizeof(Node));
  node->last = &node->first;
  return node;
}

void fault_retain(Node *node) { node->refs++; }

void fault_release(Node *node) {
  if (--node->refs > 0) return;
  forget(node);
  free(node->now.data);
  free(node->safe.data);
  free(node);
}

// Keeps some sectors of a write.
static void keep_some(
  Bytes *bytes, const Change *change, int may_spoil, unsigned long long *random) {
  sqlite3_int64 end = change->offset + change->size;
  for (sqlite3_int64 at = change->offset; at < end;) {
    sqlite3_int64 next = (at / 512 + 1) * 512;
    if (next > end) next = end;
    int fate = (int)(fault_random(random) % (may_spoil ? 3 : 2));
    if (fate == 1) {
      fault_apply(bytes, at, change->bytes + (at - change->offset), (int)(next - at));
    } else if (fate == 2) {
      unsigned char garbage[512];
      for (int i = 0; i < 512; i++) garbage[i] = (unsigned char)fault_random(random);
      fault_apply(bytes, at, garbage, (int)(next - at));
    }
    at = next;
  }
}

void fault_settle(
  Node *node, int survival, unsigned long long newest, unsigned long long *random) {
  int count = 0;
  for (Change *change = node->first; change; change = change->next) count++;
  int kept = survival == FAULT_LOSE_ALL    ? 0
             : survival == FAULT_KEEP_FIRST ? (int)(fault_random(random) % (unsigned)(count + 1))
                                            : count;
  for (Change *change = node->first; change && kept > 0; change = change->next, kept--) {
    if (change->size < 0) {
      if (change->order <= newest) fault_apply(&node->safe, change->offset, NULL, -1);
    } else if (survival < FAULT_KEEP_SOME) {
      fault_apply(&node->safe, change->offset, change->bytes, change->size);
    } else {
      keep_some(&node->safe, change, survival == FAULT_SPOIL_SOME, random);
    }
  }
  forget(node);
  fault_resize(&node->now, 0);
  fault_apply(&node->now, 0, node->safe.data, (int)node->safe.size);
  node->shared = 0;
  node->reserved = node->pending = node->exclusive = NULL;
  // Dead files release the shared memory when they are closed.
  node->shm = NULL;
}
