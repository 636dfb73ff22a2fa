#include "CDatabaseLocks.h"

#include <fcntl.h>
#include <unistd.h>

int holt_is_being_written(int descriptor) {
  // The bytes PENDING, RESERVED and SHARED: https://sqlite.org/lockingv3.html. Readers hold a read lock on the last
  // ones only, with which this read lock doesn't conflict.
  struct flock lock = {0};
  lock.l_type = F_RDLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = 0x40000000;
  lock.l_len = 512;
  return fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}
