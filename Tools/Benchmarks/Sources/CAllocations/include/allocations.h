// Counts the process's allocations. Linked, it takes the place of the C library's functions, so it
// belongs into an executable that measures no time.
#ifndef HOLT_ALLOCATIONS_H
#define HOLT_ALLOCATIONS_H

#include <stdint.h>

// Whether allocations can be counted here: with glibc.
int allocations_are_counted(void);

// Counts from zero, on every thread, until told to end; the end tells how many there were. One that is
// made larger counts as one more.
void allocations_begin(void);
uint64_t allocations_end(void);

#endif
