// Questions about SQLite's file locks, without taking one.
#ifndef HOLT_CDATABASELOCKS_H
#define HOLT_CDATABASELOCKS_H

// Returns whether another process has begun to write the database without a write-ahead log that a descriptor refers
// to. Closing the descriptor releases all locks that this process holds on the file.
int holt_is_being_written(int descriptor);

#endif
