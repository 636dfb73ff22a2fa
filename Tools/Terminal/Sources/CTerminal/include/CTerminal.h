// Terminal and signal functions that take and return only integers.
#ifndef HOLT_CTERMINAL_H
#define HOLT_CTERMINAL_H

// Returns whether a descriptor is a terminal.
int holt_is_terminal(int descriptor);

// Returns whether a descriptor is a regular file, pipe or socket.
int holt_is_pipe_or_file(int descriptor);

// Return a terminal's number of columns and rows, or 0 if unknown.
int holt_terminal_columns(int descriptor);
int holt_terminal_rows(int descriptor);

// Makes writes to a closed pipe fail instead of ending the process.
void holt_ignore_broken_pipe_signal(void);

// Ends the process immediately, without running exit handlers.
void holt_exit_now(int status);

// Starts $PAGER, or less if it is not set, and returns the descriptor of a pipe to its standard input, or
// -1 on failure. Only one pager runs at a time.
int holt_pager_open(void);
// Closes the pipe and waits until the pager has exited.
void holt_pager_close(void);

// Ignores SIGINT, SIGTERM and SIGHUP, so that the caller can handle them with dispatch sources. Returns whether SIGHUP
// was not ignored before, as it is after `nohup`.
int holt_ignore_interrupts(void);

#endif
