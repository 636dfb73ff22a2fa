#include "allocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool is_counting;
static _Atomic uint64_t count;

void allocations_begin(void) {
  atomic_store(&count, 0);
  atomic_store(&is_counting, 1);
}

uint64_t allocations_end(void) {
  atomic_store(&is_counting, 0);
  return atomic_load(&count);
}

#if defined(__GLIBC__)

// An executable's functions replace functions in shared libraries for all callers, so SQLite and
// Swift's runtime call these. `free` is not replaced, since the C library allocates the memory.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static void note(void) {
  if (atomic_load_explicit(&is_counting, memory_order_relaxed)) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  }
}

int allocations_are_counted(void) { return 1; }

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
  note();
  return __libc_calloc(items, size);
}

void *realloc(void *old, size_t size) {
  note();
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  note();
  void *made = __libc_memalign(alignment, size);
  if (!made) return ENOMEM;
  *result = made;
  return 0;
}

#else

int allocations_are_counted(void) { return 0; }

#endif
