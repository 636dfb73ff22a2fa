// Counts the process's allocations. Linking this library replaces the C library's functions, so
// don't link it to an executable that measures time.
#ifndef HOLT_ALLOCATIONS_H
#define HOLT_ALLOCATIONS_H

#include <stdint.h>

// Returns whether allocations can be counted, which requires glibc.
int allocations_are_counted(void);

// Starts and ends counting the allocations of all threads; the end returns their number. A
// reallocation counts as one allocation.
void allocations_begin(void);
uint64_t allocations_end(void);

#endif
