#define _POSIX_C_SOURCE 200809L
#include "baseline.h"

#include <stdlib.h>
#if defined(__linux__)
#include <malloc.h>
#endif
#include <time.h>

#include "engine.h"

uint64_t baseline_mix(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static void letters(char *text, size_t count, uint64_t *state) {
  for (size_t i = 0; i < count; i++) text[i] = (char)('a' + baseline_mix(state) % 26);
  text[count] = 0;
}

baseline_item *baseline_items(size_t count) {
  baseline_item *items = calloc(count, sizeof(baseline_item));
  uint64_t state = 20260101;
  for (size_t i = 0; items && i < count; i++) {
    baseline_item *item = &items[i];
    item->id = (int64_t)i + 1;
    item->a = (int64_t)(baseline_mix(&state) % 1000000);
    item->b = (int64_t)(baseline_mix(&state) & 0xffffffffffffu);
    item->x = (double)(baseline_mix(&state) % 1000000007u) / 1024.0;
    item->y_is_null = baseline_mix(&state) % 4 == 0;
    item->y = (double)(baseline_mix(&state) % 1000003u) / 8.0;
    letters(item->name, 5 + baseline_mix(&state) % 8, &state);
    letters(item->title, 40, &state);
    item->note_is_null = baseline_mix(&state) % 2 == 0;
    letters(item->note, 20, &state);
    item->flag = (int)(baseline_mix(&state) & 1);
    for (size_t j = 0; j < 32; j++) item->data[j] = (unsigned char)baseline_mix(&state);
  }
  return items;
}

int64_t baseline_key(size_t n, size_t rows) {
  uint64_t state = 77 + n;
  return (int64_t)(baseline_mix(&state) % rows) + 1;
}

double baseline_cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

size_t baseline_allocated_bytes(void) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}
