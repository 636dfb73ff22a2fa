#include <stdlib.h>
#include <string.h>

#include "engine.h"

// Characters of one, two, three and four bytes.
static const char *const letters[] = {"a", "e", "n", "s", "t", " ", "é", "ß", "я", "漢", "→", "🎻"};

baseline_text *baseline_texts(size_t count) {
  baseline_text *texts = calloc(count, sizeof(baseline_text));
  uint64_t state = 20260808;
  for (size_t i = 0; texts && i < count; i++) {
    baseline_text *text = &texts[i];
    text->id = (int64_t)i + 1;
    while (text->size <= 1020) {
      const char *letter = letters[baseline_mix(&state) % 12];
      size_t size = strlen(letter);
      memcpy(text->bytes + text->size, letter, size);
      text->size += (int)size;
    }
  }
  return texts;
}

int baseline_insert_texts(
  const char *path, const baseline_text *texts, size_t count, uint64_t *sum) {
  sqlite3 *db = NULL;
  sqlite3_stmt *s = NULL;
  int rc = baseline_open(path, &db);
  *sum = 0;
  if (rc == SQLITE_OK) {
    rc = baseline_run(
      db, "DROP TABLE IF EXISTS page;"
      " CREATE TABLE page (id INTEGER PRIMARY KEY, body TEXT NOT NULL); BEGIN IMMEDIATE");
  }
  if (rc == SQLITE_OK) rc = sqlite3_prepare_v2(db, "INSERT INTO page VALUES (?, ?)", -1, &s, NULL);
  for (size_t i = 0; rc == SQLITE_OK && i < count; i++) {
    sqlite3_bind_int64(s, 1, texts[i].id);
    sqlite3_bind_text(s, 2, texts[i].bytes, texts[i].size, SQLITE_STATIC);
    if (sqlite3_step(s) != SQLITE_DONE) rc = SQLITE_ERROR;
    sqlite3_reset(s);
    *sum += (uint64_t)sqlite3_last_insert_rowid(db);
  }
  sqlite3_finalize(s);
  if (rc == SQLITE_OK) rc = baseline_run(db, "COMMIT");
  sqlite3_close(db);
  return rc;
}

typedef struct {
  int64_t id;
  char *text;
  int size;
} page;

static int read_page(sqlite3_stmt *s, page *page) {
  page->id = sqlite3_column_int64(s, 0);
  const unsigned char *text = sqlite3_column_text(s, 1);
  page->size = sqlite3_column_bytes(s, 1);
  page->text = malloc((size_t)page->size + 1);
  if (!page->text) return SQLITE_NOMEM;
  memcpy(page->text, text, (size_t)page->size + 1);
  return SQLITE_OK;
}

int baseline_fetch_texts(const char *path, uint64_t *sum) {
  sqlite3 *db = NULL;
  sqlite3_stmt *s = NULL;
  size_t count = 0, capacity = 0;
  page *pages = NULL;
  int rc = baseline_open(path, &db);
  *sum = 0;
  if (rc == SQLITE_OK) rc = sqlite3_prepare_v2(db, "SELECT id, body FROM page", -1, &s, NULL);
  while (rc == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW) {
    if (count == capacity) {
      capacity = capacity ? capacity * 2 : 64;
      pages = realloc(pages, capacity * sizeof(page));
    }
    rc = read_page(s, &pages[count++]);
  }
  if (rc == SQLITE_OK) rc = sqlite3_finalize(s);
  for (size_t i = 0; i < count; i++) {
    *sum += (uint64_t)pages[i].id + (uint64_t)pages[i].size
      + (unsigned char)pages[i].text[pages[i].size / 2];
    free(pages[i].text);
  }
  free(pages);
  sqlite3_close(db);
  return rc;
}
