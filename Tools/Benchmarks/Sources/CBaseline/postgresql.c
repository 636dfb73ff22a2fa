#define _POSIX_C_SOURCE 200809L
#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/epoll.h>
#endif

#include "engine.h"

enum { columns = 10, connections = 16 };

static const char *const select_all = "SELECT * FROM item";
static const char *const select_one = "SELECT * FROM item WHERE id = $1";

static uint64_t big_endian(const char *bytes, int count) {
  uint64_t value = 0;
  for (int i = 0; i < count; i++) value = value << 8 | (unsigned char)bytes[i];
  return value;
}

static int64_t integer(const PGresult *result, int row, int column) {
  return (int64_t)big_endian(PQgetvalue(result, row, column), 8);
}

static double real(const PGresult *result, int row, int column) {
  uint64_t bits = big_endian(PQgetvalue(result, row, column), 8);
  double value;
  memcpy(&value, &bits, 8);
  return value;
}

static char *text(const PGresult *result, int row, int column) {
  int count = PQgetlength(result, row, column);
  char *copy = malloc((size_t)count + 1);
  memcpy(copy, PQgetvalue(result, row, column), (size_t)count);
  copy[count] = 0;
  return copy;
}

static void read_row(const PGresult *result, int row, baseline_row *item) {
  item->id = integer(result, row, 0);
  item->a = integer(result, row, 1);
  item->b = integer(result, row, 2);
  item->x = real(result, row, 3);
  item->y_is_null = PQgetisnull(result, row, 4);
  item->y = item->y_is_null ? 0 : real(result, row, 4);
  item->name = text(result, row, 5);
  item->title = text(result, row, 6);
  item->note = PQgetisnull(result, row, 7) ? NULL : text(result, row, 7);
  item->flag = PQgetvalue(result, row, 8)[0] != 0;
  item->data = (unsigned char *)text(result, row, 9);
  item->data_size = PQgetlength(result, row, 9);
}

static uint64_t read_one(const PGresult *result) {
  baseline_row item;
  if (PQntuples(result) != 1) return 0;
  read_row(result, 0, &item);
  uint64_t sum = baseline_row_checksum(&item);
  baseline_free_row(&item);
  return sum;
}

static PGconn *connected(const char *info) {
  PGconn *connection = PQconnectdb(info);
  if (PQstatus(connection) == CONNECTION_OK) return connection;
  PQfinish(connection);
  return NULL;
}

static int run(PGconn *connection, const char *sql, ExecStatusType expected) {
  PGresult *result = PQexec(connection, sql);
  int failed = PQresultStatus(result) != expected;
  PQclear(result);
  return failed;
}

static int prepare(PGconn *connection) {
  PGresult *result = PQprepare(connection, "one", select_one, 0, NULL);
  int failed = PQresultStatus(result) != PGRES_COMMAND_OK;
  PQclear(result);
  return failed;
}

static int send_key(PGconn *connection, int64_t key) {
  unsigned char bytes[8];
  for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(key >> (56 - 8 * i));
  const char *values[] = {(const char *)bytes};
  const int lengths[] = {8}, formats[] = {1};
  return PQsendQueryPrepared(connection, "one", 1, values, lengths, formats, 1) != 1;
}

int baseline_pq_look_up(const char *info, size_t rows, size_t lookups, uint64_t *sum) {
  PGconn *connection = connected(info);
  int failed = !connection || prepare(connection);
  *sum = 0;
  for (size_t i = 0; !failed && i < lookups; i++) {
    failed = send_key(connection, baseline_key(i, rows));
    PGresult *result;
    while ((result = PQgetResult(connection))) {
      if (PQresultStatus(result) == PGRES_TUPLES_OK) {
        *sum += read_one(result);
      } else {
        failed = 1;
      }
      PQclear(result);
    }
  }
  PQfinish(connection);
  return failed;
}

int baseline_pq_fetch_all(const char *info, int by_row, uint64_t *sum) {
  PGconn *connection = connected(info);
  size_t count = 0, capacity = 0;
  baseline_row *items = NULL;
  int failed = !connection || !PQsendQueryParams(connection, select_all, 0, NULL, NULL, NULL, NULL, 1)
    || (by_row && !PQsetSingleRowMode(connection));
  PGresult *result;
  *sum = 0;
  while (!failed && (result = PQgetResult(connection))) {
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_SINGLE_TUPLE && status != PGRES_TUPLES_OK) failed = 1;
    for (int row = 0; row < PQntuples(result); row++) {
      if (count == capacity) {
        capacity = capacity ? capacity * 2 : 64;
        items = realloc(items, capacity * sizeof *items);
      }
      read_row(result, row, &items[count++]);
    }
    PQclear(result);
  }
  for (size_t i = 0; i < count; i++) {
    *sum += baseline_row_checksum(&items[i]);
    baseline_free_row(&items[i]);
  }
  free(items);
  PQfinish(connection);
  return failed;
}

static char *put(char *to, uint64_t value, int count) {
  for (int i = count; i-- > 0;) *to++ = (char)(value >> (8 * i));
  return to;
}

static char *put_field(char *to, const void *bytes, size_t count) {
  to = put(to, count, 4);
  memcpy(to, bytes, count);
  return to + count;
}

static char *put_number(char *to, uint64_t value) { return put(put(to, 8, 4), value, 8); }

static char *put_real(char *to, double value) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  return put_number(to, bits);
}

static char *put_null(char *to) { return put(to, UINT32_MAX, 4); }

static char *put_item(char *to, const baseline_item *item) {
  to = put(to, columns, 2);
  to = put_number(to, (uint64_t)item->id);
  to = put_number(to, (uint64_t)item->a);
  to = put_number(to, (uint64_t)item->b);
  to = put_real(to, item->x);
  to = item->y_is_null ? put_null(to) : put_real(to, item->y);
  to = put_field(to, item->name, strlen(item->name));
  to = put_field(to, item->title, strlen(item->title));
  to = item->note_is_null ? put_null(to) : put_field(to, item->note, strlen(item->note));
  char flag = item->flag != 0;
  to = put_field(to, &flag, 1);
  return put_field(to, item->data, sizeof item->data);
}

static int copy(
  const char *info, const char *before, const char *into, const baseline_item *items, size_t count,
  uint64_t *sum) {
  enum { size = 1 << 16, margin = 1 << 9 };
  PGconn *connection = connected(info);
  char *buffer = malloc(size + margin), *end = buffer;
  int failed = !connection || run(connection, before, PGRES_COMMAND_OK)
    || run(connection, into, PGRES_COPY_IN);
  memcpy(end, "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
  end += 19;
  for (size_t i = 0; !failed && i < count; i++) {
    end = put_item(end, &items[i]);
    if (end - buffer >= size) {
      failed = PQputCopyData(connection, buffer, (int)(end - buffer)) != 1;
      end = buffer;
    }
  }
  end = put(end, UINT16_MAX, 2);
  failed = failed || PQputCopyData(connection, buffer, (int)(end - buffer)) != 1
    || PQputCopyEnd(connection, NULL) != 1;
  free(buffer);
  PGresult *result;
  *sum = 0;
  while (!failed && (result = PQgetResult(connection))) {
    if (PQresultStatus(result) == PGRES_COMMAND_OK) {
      *sum = strtoull(PQcmdTuples(result), NULL, 10);
    } else {
      failed = 1;
    }
    PQclear(result);
  }
  PQfinish(connection);
  return failed;
}

int baseline_pq_create(
  const char *info, const baseline_item *items, size_t count, uint64_t *sum) {
  static const char *const tables =
    "CREATE TABLE item (id int8 PRIMARY KEY, a int8 NOT NULL, b int8 NOT NULL, x float8 NOT NULL,"
    " y float8, name text NOT NULL, title text NOT NULL, note text, flag bool NOT NULL,"
    " data bytea NOT NULL); CREATE UNLOGGED TABLE copied (LIKE item)";
  int failed = copy(info, tables, "COPY item FROM STDIN (FORMAT binary)", items, count, sum);
  PGconn *connection = connected(info);
  failed = failed || !connection || run(connection, "VACUUM ANALYZE item", PGRES_COMMAND_OK);
  PQfinish(connection);
  return failed;
}

int baseline_pq_copy(
  const char *info, const baseline_item *items, size_t count, uint64_t *sum) {
  static const char *const into = "COPY copied FROM STDIN (FORMAT binary)";
  return copy(info, "TRUNCATE copied", into, items, count, sum);
}

// Waits for sockets, whose numbers are their positions.
typedef struct {
#if defined(__linux__)
  int queue;
#else
  struct pollfd sockets[connections];
#endif
} waiting;

static int begin_waiting(waiting *set, PGconn *const *all) {
#if defined(__linux__)
  set->queue = epoll_create1(EPOLL_CLOEXEC);
#endif
  for (uint32_t i = 0; i < connections; i++) {
    if (!all[i]) return 1;
#if defined(__linux__)
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
    if (epoll_ctl(set->queue, EPOLL_CTL_ADD, PQsocket(all[i]), &event)) return 1;
#else
    set->sockets[i] = (struct pollfd){.fd = PQsocket(all[i]), .events = POLLIN};
#endif
  }
  return 0;
}

static int ready(waiting *set, uint32_t *numbers) {
#if defined(__linux__)
  struct epoll_event events[connections];
  int count = epoll_wait(set->queue, events, connections, -1);
  for (int i = 0; i < count; i++) numbers[i] = events[i].data.u32;
  return count;
#else
  int count = 0;
  if (poll(set->sockets, connections, -1) < 0) return -1;
  for (uint32_t i = 0; i < connections; i++) {
    if (set->sockets[i].revents) numbers[count++] = i;
  }
  return count;
#endif
}

static void end_waiting(waiting *set) {
#if defined(__linux__)
  close(set->queue);
#else
  (void)set;
#endif
}

int baseline_pq_look_up_concurrently(
  const char *info, size_t rows, size_t lookups, uint64_t *sum) {
  PGconn *all[connections] = {NULL};
  waiting set;
  size_t sent = 0, received = 0;
  int failed = 0;
  *sum = 0;
  for (int i = 0; i < connections; i++) {
    all[i] = connected(info);
    failed = failed || !all[i] || prepare(all[i]) || PQsetnonblocking(all[i], 1);
  }
  failed = begin_waiting(&set, all) || failed;
  for (int i = 0; !failed && i < connections && sent < lookups; i++) {
    failed = send_key(all[i], baseline_key(sent++, rows)) || PQflush(all[i]) != 0;
  }
  while (!failed && received < lookups) {
    uint32_t numbers[connections];
    int count = ready(&set, numbers);
    for (int i = 0; !failed && i < count; i++) {
      PGconn *connection = all[numbers[i]];
      failed = !PQconsumeInput(connection);
      while (!failed && !PQisBusy(connection)) {
        PGresult *result = PQgetResult(connection);
        if (!result) {
          received++;
          if (sent < lookups) {
            failed = send_key(connection, baseline_key(sent++, rows)) || PQflush(connection) != 0;
          }
          break;
        }
        if (PQresultStatus(result) == PGRES_TUPLES_OK) {
          *sum += read_one(result);
        } else {
          failed = 1;
        }
        PQclear(result);
      }
    }
  }
  end_waiting(&set);
  for (int i = 0; i < connections; i++) PQfinish(all[i]);
  return failed;
}
