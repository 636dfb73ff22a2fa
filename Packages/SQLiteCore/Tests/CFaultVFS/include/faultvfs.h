// File systems in memory, for tests: each is one directory, opened as SQLite's virtual file system
// `fault-ID`. A plan fails the n-th of its calls; after a power loss a reboot shows what was synced,
// and as much of the rest as is asked for.
//
// All arguments are numbers, so that Swift needs no pointer to use it.
#ifndef HOLT_FAULTVFS_H
#define HOLT_FAULTVFS_H

// Calls, by kind.
enum {
  FAULT_ANY = 0,
  FAULT_OPEN,
  FAULT_DELETE,
  FAULT_ACCESS,
  FAULT_READ,
  FAULT_WRITE,
  FAULT_TRUNCATE,
  FAULT_SYNC,
  FAULT_SIZE,
  FAULT_LOCK,
  FAULT_SHM,
  FAULT_KINDS
};

// What the n-th call comes to.
enum {
  FAULT_NOTHING = 0,
  // SQLITE_IOERR_…, or SQLITE_CANTOPEN of an open.
  FAULT_ERROR,
  // Of a write: a part of the bytes is written, then it is an SQLITE_IOERR_WRITE.
  FAULT_SHORT,
  // Of a write: a part of the bytes is written, then the disk is SQLITE_FULL.
  FAULT_FULL,
  // This call fails, and so does every later one.
  FAULT_POWER
};

// What a reboot finds of the changes that nobody synced.
enum {
  FAULT_LOSE_ALL = 0,
  FAULT_KEEP_ALL,
  // Of each file the changes up to some moment; of the directory and of sizes those up to one.
  FAULT_KEEP_FIRST,
  // Some sectors of 512 bytes of each write; of the directory and of sizes as before.
  FAULT_KEEP_SOME,
  // As before; what is kept of a write may also be other bytes.
  FAULT_SPOIL_SOME
};

// A new file system, registered; -1 where there is no room for one more.
int fault_make(void);
// Takes it out of SQLite's list. Files that are still open in it keep its memory.
void fault_free(int id);
// Removes every file, and the plan. Whoever still has a file open only gets errors.
void fault_clear(int id);
// Fails the n-th call of a kind from now on, counting from 1; `lasting`: and each later one of it.
void fault_plan(int id, int kind, long long n, int action, int lasting);
// How many calls of a kind there were since the plan was made.
long long fault_calls(int id, int kind);
// How many calls have failed by the plan.
long long fault_strikes(int id);
// How many files are open.
int fault_open_files(int id);
// Switches the machine off and on: afterwards there is no plan, and what was open is dead.
void fault_reboot(int id, int survival, unsigned long long seed);

#endif
