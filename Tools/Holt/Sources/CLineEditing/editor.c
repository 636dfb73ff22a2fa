#include "CLineEditing.h"

#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static EditLine *editor;
static History *history_list;
static char *history_path, *words, *line, prompt[64];
static int is_cancelled;

static char *current_prompt(EditLine *editor) {
  (void)editor;
  return prompt;
}

static unsigned char cancel(EditLine *editor, int key) {
  (void)key;
  // Ends the line after its last character, so that the terminal shows all of it.
  el_set(editor, EL_REFRESH);
  is_cancelled = 1;
  return CC_NEWLINE;
}

static int is_word_byte(char byte) {
  return byte == '_' || byte == '.' || (unsigned char)byte >= 0x80 || (byte >= '0' && byte <= '9')
    || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

// Calls `body` with each word that begins with `start`, ignoring case.
static void each_match(const char *start, size_t length, void (*body)(const char *, size_t, void *), void *context) {
  for (const char *word = words; word && *word;) {
    const char *end = word + strcspn(word, "\n");
    size_t size = (size_t)(end - word);
    if (size >= length && strncasecmp(word, start, length) == 0) body(word, size, context);
    word = *end ? end + 1 : end;
  }
}

typedef struct {
  const char *first;
  size_t common;
  int count;
} matches;

static void collect(const char *word, size_t size, void *context) {
  matches *found = context;
  if (found->count++ == 0) {
    found->first = word;
    found->common = size;
    return;
  }
  size_t same = 0;
  while (same < found->common && same < size && strncasecmp(word + same, found->first + same, 1) == 0) same++;
  found->common = same;
}

static void print(const char *word, size_t size, void *context) {
  FILE *output = context;
  fprintf(output, "%.*s  ", (int)size, word);
}

static unsigned char complete(EditLine *editor, int key) {
  (void)key;
  const LineInfo *info = el_line(editor);
  const char *start = info->cursor;
  while (start > info->buffer && is_word_byte(start[-1])) start--;
  size_t length = (size_t)(info->cursor - start);
  if (length == 0) return CC_REFRESH_BEEP;
  matches found = {0};
  each_match(start, length, collect, &found);
  if (found.count == 0) return CC_REFRESH_BEEP;
  if (found.common > length || found.count == 1) {
    char text[512];
    snprintf(text, sizeof text, "%.*s%s", (int)found.common, found.first, found.count == 1 ? " " : "");
    // The word has the case of the match.
    el_deletestr(editor, (int)length);
    if (el_insertstr(editor, text) != 0) return CC_ERROR;
    return CC_REFRESH;
  }
  putchar('\n');
  each_match(start, length, print, stdout);
  putchar('\n');
  fflush(stdout);
  return CC_REDISPLAY;
}

int holt_editor_open(const char *path) {
  setlocale(LC_CTYPE, "");
  if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) setlocale(LC_CTYPE, "C.UTF-8");
  editor = el_init("holt", stdin, stdout, stderr);
  history_list = history_init();
  if (!editor || !history_list) return 0;
  HistEvent event;
  history(history_list, &event, H_SETSIZE, 1000);
  history(history_list, &event, H_SETUNIQUE, 1);
  history_path = strdup(path);
  if (history_path && *history_path) history(history_list, &event, H_LOAD, history_path);
  el_set(editor, EL_PROMPT, current_prompt);
  el_set(editor, EL_EDITOR, "emacs");
  el_set(editor, EL_HIST, history, history_list);
  el_set(editor, EL_ADDFN, "holt-complete", "Complete a word", complete);
  el_set(editor, EL_ADDFN, "holt-cancel", "Cancel the line", cancel);
  el_set(editor, EL_BIND, "^I", "holt-complete", NULL);
  el_set(editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
  // While a line is edited, Ctrl-C is a key.
  el_set(editor, EL_SETTY, "-d", "-isig", NULL);
  el_set(editor, EL_BIND, "^C", "holt-cancel", NULL);
  el_source(editor, NULL);
  return 1;
}

void holt_editor_set_words(const char *text) {
  free(words);
  words = strdup(text);
}

holt_line_result holt_editor_read(const char *text) {
  snprintf(prompt, sizeof prompt, "%s", text);
  free(line);
  line = NULL;
  is_cancelled = 0;
  int count = 0;
  const char *read = el_gets(editor, &count);
  if (is_cancelled) {
    fputs("^C\n", stdout);
    fflush(stdout);
    return HOLT_LINE_CANCELLED;
  }
  if (!read || count <= 0) return HOLT_LINE_ENDED;
  size_t length = (size_t)count;
  while (length > 0 && (read[length - 1] == '\n' || read[length - 1] == '\r')) length--;
  line = strndup(read, length);
  return HOLT_LINE_READ;
}

const char *holt_editor_line(void) { return line ? line : ""; }

void holt_editor_remember(const char *statement) {
  HistEvent event;
  history(history_list, &event, H_ENTER, statement);
  if (!history_path || !*history_path) return;
  // Statements can contain data that other users may not read.
  int descriptor = open(history_path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor >= 0) close(descriptor);
  history(history_list, &event, H_SAVE, history_path);
}

void holt_editor_close(void) {
  if (editor) el_end(editor);
  if (history_list) history_end(history_list);
  editor = NULL;
  history_list = NULL;
}
