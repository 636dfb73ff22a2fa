// In-memory file systems for tests. Each consists of one directory, and is registered as the
// virtual file system `fault-ID`. A plan makes its n-th call fail. After a power loss, a reboot
// preserves the synced changes and a selection of the others.
//
// All arguments are numbers, so that Swift needs no pointers.
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

// The fault of the n-th call.
enum {
  FAULT_NOTHING = 0,
  // The call fails with SQLITE_IOERR_…, or SQLITE_CANTOPEN for an open.
  FAULT_ERROR,
  // A write writes some of the bytes, and fails with SQLITE_IOERR_WRITE.
  FAULT_SHORT,
  // A write writes some of the bytes, and fails with SQLITE_FULL.
  FAULT_FULL,
  // This call and all later calls fail.
  FAULT_POWER
};

// The unsynced changes that survive a reboot.
enum {
  FAULT_LOSE_ALL = 0,
  FAULT_KEEP_ALL,
  // The writes up to a random one of each file; the size and directory changes up to a random one.
  FAULT_KEEP_FIRST,
  // Random sectors of 512 bytes of each write; size and directory changes as before.
  FAULT_KEEP_SOME,
  // As before, and some sectors contain random bytes.
  FAULT_SPOIL_SOME
};

// Creates and registers a file system, and returns its number, or -1 if there are too many.
int fault_make(void);
// Unregisters the file system. Its memory is not freed if files are still open.
void fault_free(int id);
// Removes all files and the plan. Calls on files that are still open fail.
void fault_clear(int id);
// Fails the n-th call of a kind from now on, counting from 1, and with `lasting` all later ones.
void fault_plan(int id, int kind, long long n, int action, int lasting);
// Returns the number of calls of a kind since the last plan.
long long fault_calls(int id, int kind);
// Returns the number of calls that failed as planned.
long long fault_strikes(int id);
// Returns the number of open files.
int fault_open_files(int id);
// Simulates a power loss and a restart: there is no plan afterwards, and open files are dead.
void fault_reboot(int id, int survival, unsigned long long seed);

#endif
