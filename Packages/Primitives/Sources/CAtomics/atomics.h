#ifndef HOLT_ATOMICS_H
#define HOLT_ATOMICS_H

#include <stdbool.h>
#include <stdint.h>

// The compiler's atomic operations, which Swift can't call. The orderings have the raw values of
// AtomicOrdering. If the ordering is a constant, each function compiles to one instruction.

#define HOLT_ATOMIC static inline __attribute__((__always_inline__))

enum { HOLT_RELAXED = 0, HOLT_ACQUIRE = 1, HOLT_RELEASE = 2, HOLT_ACQ_REL = 3 };

HOLT_ATOMIC uint64_t holt_atomic_load(const uint64_t *_Nonnull place, int32_t order) {
  switch (order) {
  case HOLT_RELAXED: return __atomic_load_n(place, __ATOMIC_RELAXED);
  case HOLT_ACQUIRE: return __atomic_load_n(place, __ATOMIC_ACQUIRE);
  default: return __atomic_load_n(place, __ATOMIC_SEQ_CST);
  }
}

HOLT_ATOMIC void holt_atomic_store(uint64_t *_Nonnull place, uint64_t value, int32_t order) {
  switch (order) {
  case HOLT_RELAXED: __atomic_store_n(place, value, __ATOMIC_RELAXED); break;
  case HOLT_RELEASE: __atomic_store_n(place, value, __ATOMIC_RELEASE); break;
  default: __atomic_store_n(place, value, __ATOMIC_SEQ_CST); break;
  }
}

// A read-modify-write operation: relaxed, acquiring, releasing, both, or sequentially consistent.
#define HOLT_READ_WRITE(operation)                             \
  switch (order) {                                             \
  case HOLT_RELAXED: return operation(__ATOMIC_RELAXED);       \
  case HOLT_ACQUIRE: return operation(__ATOMIC_ACQUIRE);       \
  case HOLT_RELEASE: return operation(__ATOMIC_RELEASE);       \
  case HOLT_ACQ_REL: return operation(__ATOMIC_ACQ_REL);       \
  default: return operation(__ATOMIC_SEQ_CST);                 \
  }

HOLT_ATOMIC uint64_t holt_atomic_exchange(
  uint64_t *_Nonnull place, uint64_t value, int32_t order
) {
#define HOLT_EXCHANGE(order) __atomic_exchange_n(place, value, order)
  HOLT_READ_WRITE(HOLT_EXCHANGE)
}

HOLT_ATOMIC uint64_t holt_atomic_add(uint64_t *_Nonnull place, uint64_t value, int32_t order) {
#define HOLT_ADD(order) __atomic_fetch_add(place, value, order)
  HOLT_READ_WRITE(HOLT_ADD)
}

HOLT_ATOMIC uint64_t holt_atomic_or(uint64_t *_Nonnull place, uint64_t value, int32_t order) {
#define HOLT_OR(order) __atomic_fetch_or(place, value, order)
  HOLT_READ_WRITE(HOLT_OR)
}

// Writes `value` if the current value is `*expected`; otherwise sets `*expected` to the current value.
HOLT_ATOMIC bool holt_atomic_compare_exchange(
  uint64_t *_Nonnull place, uint64_t *_Nonnull expected, uint64_t value
) {
  return __atomic_compare_exchange_n(
    place, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

#endif
