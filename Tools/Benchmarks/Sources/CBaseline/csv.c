#include <string.h>

#include "baseline.h"

size_t baseline_count_fields(const char *text, size_t size, char delimiter) {
  const char *at = text, *end = text + size;
  size_t count = 0;
  while (at < end) {
    const char *line = memchr(at, '\n', (size_t)(end - at));
    if (!line) line = end;
    while (at < line) {
      const char *next = memchr(at, delimiter, (size_t)(line - at));
      count++;
      at = next ? next + 1 : line;
    }
    at = line + 1;
  }
  return count;
}
