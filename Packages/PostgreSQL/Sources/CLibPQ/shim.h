#ifndef HOLT_LIBPQ_SHIM_H
#define HOLT_LIBPQ_SHIM_H

#include <errno.h>
#include <signal.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// A queue of socket events: epoll on Linux, kqueue elsewhere. Interest in a socket ends with its first event.

#define HOLT_POLL_READ 1
#define HOLT_POLL_WRITE 2

typedef struct {
  int queue;
  int wake;
} holt_poll_queue;

#if defined(__linux__)
// The system's header declares it for programs with extensions of GNU only, which a module can't request.
extern int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
#else
#include <sys/select.h>
#endif

// The time since the system was started, in nanoseconds.
static inline uint64_t holt_monotonic_time(void) {
  struct timespec now;
#if defined(__APPLE__)
  clock_gettime(CLOCK_UPTIME_RAW, &now);
#else
  clock_gettime(CLOCK_MONOTONIC, &now);
#endif
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

// Waits on this thread until a socket is readable, for a number of nanoseconds. Returns 1 if the socket is readable.
static inline int holt_poll_briefly(int socket, long nanoseconds) {
#if defined(__linux__)
  struct pollfd wanted = {socket, POLLIN, 0};
  struct timespec limit = {0, nanoseconds};
  return ppoll(&wanted, 1, &limit, 0) == 1;
#else
  fd_set wanted;
  struct timespec limit = {0, nanoseconds};
  if (socket >= FD_SETSIZE) return 0;
  FD_ZERO(&wanted);
  FD_SET(socket, &wanted);
  return pselect(socket + 1, &wanted, 0, 0, &limit, 0) == 1;
#endif
}

#if defined(__linux__)

#include <sys/epoll.h>
#include <sys/eventfd.h>

static inline int holt_poll_open(holt_poll_queue *queue) {
  queue->queue = epoll_create1(EPOLL_CLOEXEC);
  queue->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (queue->queue < 0 || queue->wake < 0) return -1;
  struct epoll_event event;
  memset(&event, 0, sizeof event);
  event.events = EPOLLIN;
  return epoll_ctl(queue->queue, EPOLL_CTL_ADD, queue->wake, &event);
}

static inline int holt_poll_arm(holt_poll_queue queue, int socket, uint64_t id, int interest) {
  struct epoll_event event;
  memset(&event, 0, sizeof event);
  event.events = EPOLLONESHOT | (interest & HOLT_POLL_READ ? EPOLLIN | EPOLLRDHUP : 0)
    | (interest & HOLT_POLL_WRITE ? EPOLLOUT : 0);
  event.data.u64 = id;
  if (epoll_ctl(queue.queue, EPOLL_CTL_MOD, socket, &event) == 0) return 0;
  return errno == ENOENT ? epoll_ctl(queue.queue, EPOLL_CTL_ADD, socket, &event) : -1;
}

static inline void holt_poll_wake(holt_poll_queue queue) {
  uint64_t one = 1;
  ssize_t written = write(queue.wake, &one, sizeof one);
  (void)written;
}

// Writes the identifiers of ready sockets; 0 represents `holt_poll_wake`.
static inline int holt_poll_wait(holt_poll_queue queue, uint64_t *ids, int capacity, int milliseconds) {
  struct epoll_event events[64];
  int count = epoll_wait(queue.queue, events, capacity < 64 ? capacity : 64, milliseconds);
  for (int i = 0; i < count; i++) {
    ids[i] = events[i].data.u64;
    if (ids[i] == 0) {
      uint64_t value;
      ssize_t taken = read(queue.wake, &value, sizeof value);
      (void)taken;
    }
  }
  return count;
}

#else

#include <sys/event.h>
#include <sys/time.h>

static inline int holt_poll_open(holt_poll_queue *queue) {
  queue->queue = kqueue();
  queue->wake = -1;
  if (queue->queue < 0) return -1;
  struct kevent change;
  EV_SET(&change, 0, EVFILT_USER, EV_ADD | EV_CLEAR, 0, 0, 0);
  return kevent(queue->queue, &change, 1, 0, 0, 0);
}

static inline int holt_poll_arm(holt_poll_queue queue, int socket, uint64_t id, int interest) {
  struct kevent changes[2];
  int count = 0;
  if (interest & HOLT_POLL_READ) {
    EV_SET(&changes[count++], socket, EVFILT_READ, EV_ADD | EV_ONESHOT, 0, 0, (void *)(uintptr_t)id);
  }
  if (interest & HOLT_POLL_WRITE) {
    EV_SET(&changes[count++], socket, EVFILT_WRITE, EV_ADD | EV_ONESHOT, 0, 0, (void *)(uintptr_t)id);
  }
  return kevent(queue.queue, changes, count, 0, 0, 0) < 0 ? -1 : 0;
}

static inline void holt_poll_wake(holt_poll_queue queue) {
  struct kevent change;
  EV_SET(&change, 0, EVFILT_USER, 0, NOTE_TRIGGER, 0, 0);
  kevent(queue.queue, &change, 1, 0, 0, 0);
}

static inline int holt_poll_wait(holt_poll_queue queue, uint64_t *ids, int capacity, int milliseconds) {
  struct kevent events[64];
  struct timespec limit = {milliseconds / 1000, (milliseconds % 1000) * 1000000L};
  int count = kevent(
    queue.queue, 0, 0, events, capacity < 64 ? capacity : 64, milliseconds < 0 ? 0 : &limit);
  for (int i = 0; i < count; i++) {
    ids[i] = events[i].filter == EVFILT_USER ? 0 : (uint64_t)(uintptr_t)events[i].udata;
  }
  return count;
}

#endif

#endif
