// glibc's headers, and additional Darwin declarations that the sources use.
#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  uint32_t opaque;
} os_unfair_lock_s;
void os_unfair_lock_lock(os_unfair_lock_s *_Nonnull);
void os_unfair_lock_unlock(os_unfair_lock_s *_Nonnull);

typedef struct {
  uint32_t rawValue;
} qos_class_t;
qos_class_t qos_class_self(void);
int pthread_set_qos_class_self_np(qos_class_t, int);

#define O_EVTONLY 0x8000
