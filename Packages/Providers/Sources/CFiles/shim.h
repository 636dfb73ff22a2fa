// File operations for providers: reading in pieces, identification by a stamp, atomic replacement. A function
// that fails returns the negated error number.
#ifndef HOLT_CFILES_SHIM_H
#define HOLT_CFILES_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __APPLE__
#include <copyfile.h>
#else
#include <sys/xattr.h>
#endif

// Identifies a version of a file without reading its content.
typedef struct {
  uint64_t device, inode;
  int64_t size, seconds, nanoseconds, change_seconds, change_nanoseconds;
  uint32_t mode;
} holt_file_stamp;

static inline void holt_file_fill(holt_file_stamp *stamp, const struct stat *status) {
  stamp->device = (uint64_t)status->st_dev;
  stamp->inode = (uint64_t)status->st_ino;
  stamp->size = (int64_t)status->st_size;
#ifdef __APPLE__
  stamp->seconds = (int64_t)status->st_mtimespec.tv_sec;
  stamp->nanoseconds = (int64_t)status->st_mtimespec.tv_nsec;
  stamp->change_seconds = (int64_t)status->st_ctimespec.tv_sec;
  stamp->change_nanoseconds = (int64_t)status->st_ctimespec.tv_nsec;
#else
  stamp->seconds = (int64_t)status->st_mtim.tv_sec;
  stamp->nanoseconds = (int64_t)status->st_mtim.tv_nsec;
  stamp->change_seconds = (int64_t)status->st_ctim.tv_sec;
  stamp->change_nanoseconds = (int64_t)status->st_ctim.tv_nsec;
#endif
  stamp->mode = (uint32_t)status->st_mode;
}

static inline int holt_file_stamp_of(const char *path, holt_file_stamp *stamp) {
  struct stat status;
  if (stat(path, &status) != 0) return -errno;
  holt_file_fill(stamp, &status);
  return 0;
}

static inline int holt_file_stamp_of_open(int descriptor, holt_file_stamp *stamp) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return -errno;
  holt_file_fill(stamp, &status);
  return 0;
}

static inline int holt_file_is_folder(uint32_t mode) { return S_ISDIR(mode); }

// Opens a file for reading, and returns its descriptor.
static inline int holt_file_open(const char *path) {
  int descriptor;
  do {
    descriptor = open(path, O_RDONLY | O_CLOEXEC);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor < 0 ? -errno : descriptor;
}

// Returns the number of bytes read, 0 at the end.
static inline ptrdiff_t holt_file_read(int descriptor, void *buffer, size_t size) {
  ptrdiff_t count;
  do {
    count = read(descriptor, buffer, size);
  } while (count < 0 && errno == EINTR);
  return count < 0 ? -errno : count;
}

// Reads from an offset, without moving the position of `holt_file_read`.
static inline ptrdiff_t holt_file_read_at(int descriptor, void *buffer, size_t size, int64_t offset) {
  ptrdiff_t count;
  do {
    count = pread(descriptor, buffer, size, (off_t)offset);
  } while (count < 0 && errno == EINTR);
  return count < 0 ? -errno : count;
}

static inline int holt_file_rewind(int descriptor) {
  return lseek(descriptor, 0, SEEK_SET) < 0 ? -errno : 0;
}

static inline void holt_file_close(int descriptor) { close(descriptor); }

// Creates an empty file without a name in the folder for temporary files, and returns its descriptor.
static inline int holt_file_temporary(void) {
  const char *folder = getenv("TMPDIR");
  char path[4096];
  int length = snprintf(path, sizeof path, "%s/holt-XXXXXX", folder && *folder ? folder : "/tmp");
  if (length < 0 || (size_t)length >= sizeof path) return -ENAMETOOLONG;
  int descriptor = mkstemp(path);
  if (descriptor < 0) return -errno;
  unlink(path);
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
}

// Creates an empty, locked file that will replace another one, and returns its descriptor. Between open and flock,
// the previous owner of the lock can rename or remove the file: the lock then belongs to no path, and the function
// tries again. An existing file without a lock is the remains of a crash. It is removed, because the new file must
// not inherit its owner and permissions.
static inline int holt_file_begin(const char *path, uint32_t mode) {
  for (;;) {
    int is_left = 0;
    int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, (mode_t)mode);
    if (descriptor < 0 && errno == EEXIST) {
      is_left = 1;
      descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
      if (descriptor < 0 && errno == ENOENT) continue;
    }
    if (descriptor < 0) {
      if (errno == EINTR) continue;
      return -errno;
    }
    struct stat opened, found;
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      int code = errno;
      close(descriptor);
      if (code == EINTR) continue;
      return -code;
    }
    int is_at_path = fstat(descriptor, &opened) == 0 && lstat(path, &found) == 0
      && opened.st_ino == found.st_ino && opened.st_dev == found.st_dev;
    if (is_at_path && !is_left) return descriptor;
    int code = is_at_path && unlink(path) != 0 ? errno : 0;
    close(descriptor);
    if (code != 0) return -code;
  }
}

static inline int holt_file_write(int descriptor, const void *bytes, size_t size) {
  const char *next = (const char *)bytes;
  while (size > 0) {
    ptrdiff_t count = write(descriptor, next, size);
    if (count < 0) {
      if (errno == EINTR) continue;
      return -errno;
    }
    next += count;
    size -= (size_t)count;
  }
  return 0;
}

// Returns 0 if the process may write the file. A file without any write permission is read-only for everyone.
static inline int holt_file_check_writable(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0) return -errno;
  if ((status.st_mode & 0222) == 0) return -EACCES;
  return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0 ? -errno : 0;
}

// Copies a file's owner and group. Fails if the process may not set them.
static inline int holt_file_copy_owner(int descriptor, const char *path) {
  struct stat wanted, found;
  if (stat(path, &wanted) != 0 || fstat(descriptor, &found) != 0) return -errno;
  if (found.st_uid == wanted.st_uid && found.st_gid == wanted.st_gid) return 0;
  uid_t owner = found.st_uid == wanted.st_uid ? (uid_t)-1 : wanted.st_uid;
  return fchown(descriptor, owner, wanted.st_gid) != 0 ? -errno : 0;
}

#ifndef __APPLE__
// Copies one extended attribute. An attribute that the file already has is not written, because the system sets some
// attributes itself, and refuses to let programs set them.
static inline int holt_file_copy_attribute(int descriptor, const char *path, const char *name) {
  ptrdiff_t size = getxattr(path, name, NULL, 0);
  if (size < 0) return errno == ENODATA ? 0 : -errno;
  char *value = (char *)malloc((size_t)size * 2 + 2);
  if (!value) return -ENOMEM;
  char *present = value + size + 1;
  int code = 0;
  ptrdiff_t count = getxattr(path, name, value, (size_t)size + 1);
  if (count < 0) {
    code = -errno;
  } else if (fgetxattr(descriptor, name, present, (size_t)size + 1) != count
      || memcmp(value, present, (size_t)count) != 0) {
    if (fsetxattr(descriptor, name, value, (size_t)count, 0) != 0) code = -errno;
  }
  free(value);
  return code;
}
#endif

// Copies a file's access control list and extended attributes. Fails if one can't be set.
static inline int holt_file_copy_attributes(int descriptor, const char *path) {
#ifdef __APPLE__
  int source = open(path, O_RDONLY | O_CLOEXEC);
  if (source < 0) return -errno;
  int code = fcopyfile(source, descriptor, NULL, COPYFILE_ACL | COPYFILE_XATTR) != 0 ? -errno : 0;
  close(source);
  return code;
#else
  ptrdiff_t size = listxattr(path, NULL, 0);
  if (size < 0) return errno == ENOTSUP ? 0 : -errno;
  char *names = (char *)malloc((size_t)size + 1);
  if (!names) return -ENOMEM;
  size = listxattr(path, names, (size_t)size + 1);
  int code = size < 0 ? -errno : 0;
  int has_list = 0;
  for (ptrdiff_t at = 0; code == 0 && at < size; at += (ptrdiff_t)strlen(names + at) + 1) {
    if (strcmp(names + at, "system.posix_acl_access") == 0) has_list = 1;
    code = holt_file_copy_attribute(descriptor, path, names + at);
  }
  free(names);
  // The folder's default list applies to new files.
  if (code == 0 && !has_list && fremovexattr(descriptor, "system.posix_acl_access") != 0
      && errno != ENODATA && errno != ENOTSUP) {
    code = -errno;
  }
  return code;
#endif
}

// Copies a file's permissions. To be called last, since a change of the owner resets some of them.
static inline int holt_file_copy_permissions(int descriptor, const char *path) {
  struct stat status;
  if (stat(path, &status) != 0) return -errno;
  return fchmod(descriptor, status.st_mode & 07777) != 0 ? -errno : 0;
}

static inline int holt_file_sync(int descriptor) {
#ifdef F_FULLFSYNC
  if (fcntl(descriptor, F_FULLFSYNC) == 0) return 0;
#endif
  int code;
  do {
    code = fsync(descriptor);
  } while (code != 0 && errno == EINTR);
  return code != 0 ? -errno : 0;
}

static inline int holt_file_rename(const char *from, const char *to) {
  return rename(from, to) != 0 ? -errno : 0;
}

// Makes a folder's entries durable. A folder that can't be synced is not an error.
static inline int holt_file_sync_folder(const char *path) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  int code = fsync(descriptor) != 0 && errno == EIO ? -errno : 0;
  close(descriptor);
  return code;
}

static inline int holt_file_remove(const char *path) { return unlink(path) != 0 ? -errno : 0; }

// Returns the path without symbolic links, to be released with `free`; null and an error number on failure.
static inline char *holt_file_real_path(const char *path, int *code) {
  char *real = realpath(path, NULL);
  *code = real ? 0 : -errno;
  return real;
}

// Returns a symbolic link's literal target, to be released with `free`; null if the path is not a link.
static inline char *holt_file_link_target(const char *path) {
  struct stat status;
  if (lstat(path, &status) != 0 || !S_ISLNK(status.st_mode)) return NULL;
  size_t size = 4096;
  char *target = (char *)malloc(size);
  if (!target) return NULL;
  ptrdiff_t count = readlink(path, target, size);
  if (count <= 0 || (size_t)count == size) {
    free(target);
    return NULL;
  }
  target[count] = 0;
  return target;
}

// A checksum in four lanes of words: not cryptographic, and limited by memory bandwidth.
typedef struct {
  uint64_t lanes[4], count;
  unsigned char rest[32];
} holt_checksum;

static inline void holt_checksum_begin(holt_checksum *sum) {
  memset(sum, 0, sizeof *sum);
  for (int i = 0; i < 4; i++) sum->lanes[i] = 0x9e3779b97f4a7c15u * (uint64_t)(i + 1);
}

static inline uint64_t holt_checksum_mix(uint64_t lane, uint64_t word) {
  lane = (lane ^ word) * 0xff51afd7ed558ccdu;
  return lane ^ lane >> 32;
}

static inline void holt_checksum_block(holt_checksum *sum, const unsigned char *bytes) {
  uint64_t words[4];
  memcpy(words, bytes, sizeof words);
  for (int i = 0; i < 4; i++) sum->lanes[i] = holt_checksum_mix(sum->lanes[i], words[i]);
}

static inline void holt_checksum_add(holt_checksum *sum, const void *bytes, size_t size) {
  const unsigned char *next = (const unsigned char *)bytes;
  size_t kept = sum->count % 32;
  sum->count += size;
  if (kept > 0) {
    size_t missing = 32 - kept;
    if (size < missing) {
      if (size > 0) memcpy(sum->rest + kept, next, size);
      return;
    }
    memcpy(sum->rest + kept, next, missing);
    holt_checksum_block(sum, sum->rest);
    next += missing;
    size -= missing;
  }
  for (; size >= 32; size -= 32, next += 32) holt_checksum_block(sum, next);
  if (size > 0) memcpy(sum->rest, next, size);
}

// Returns the checksum. No bytes can be added afterwards.
static inline uint64_t holt_checksum_end(holt_checksum *sum) {
  memset(sum->rest + sum->count % 32, 0, 32 - sum->count % 32);
  holt_checksum_block(sum, sum->rest);
  uint64_t result = sum->count;
  for (int i = 0; i < 4; i++) result = holt_checksum_mix(result, sum->lanes[i]);
  return result;
}

static inline void holt_file_free(char *path) { free(path); }

typedef enum {
  HOLT_FILE_FAILS,
  HOLT_FILE_IS_MISSING,
  HOLT_FILE_IS_FORBIDDEN,
  HOLT_FILE_IS_FOLDER,
  HOLT_FILE_IS_LOCKED,
} holt_file_fault;

static inline holt_file_fault holt_file_fault_of(int error) {
  switch (error) {
  case ENOENT:
  case ENOTDIR: return HOLT_FILE_IS_MISSING;
  case EACCES:
  case EPERM:
  case EROFS: return HOLT_FILE_IS_FORBIDDEN;
  case EISDIR: return HOLT_FILE_IS_FOLDER;
  case EWOULDBLOCK: return HOLT_FILE_IS_LOCKED;
  default: return HOLT_FILE_FAILS;
  }
}

static inline const char *holt_file_message(int error) { return strerror(error); }

#endif
