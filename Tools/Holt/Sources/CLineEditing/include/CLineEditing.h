// A line editor with history and completion, in a terminal. There is one editor per process, for one thread.
#ifndef HOLT_CLINEEDITING_H
#define HOLT_CLINEEDITING_H

typedef enum { HOLT_LINE_READ, HOLT_LINE_CANCELLED, HOLT_LINE_ENDED } holt_line_result;

// Starts editing, and reads the history from a file if it exists. Returns whether the terminal can be used.
int holt_editor_open(const char *history);

// Sets the words that the tab key completes, separated by line breaks and sorted.
void holt_editor_set_words(const char *words);

// Reads a line. It can be cancelled with Ctrl-C, and the input ends with Ctrl-D in an empty line.
holt_line_result holt_editor_read(const char *prompt);

// Returns the line that was read, without its line break, until the next call of a function.
const char *holt_editor_line(void);

// Adds a statement to the history, and saves it.
void holt_editor_remember(const char *statement);

// Resets the terminal.
void holt_editor_close(void);

#endif
