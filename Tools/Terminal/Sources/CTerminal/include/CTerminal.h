// What a command needs of a terminal, and of the system's signals, in functions that take and give numbers alone.
#ifndef HOLT_CTERMINAL_H
#define HOLT_CTERMINAL_H

// Whether a descriptor is a terminal.
int holt_is_terminal(int descriptor);

// Whether a descriptor is a file, a pipe or a socket.
int holt_is_pipe_or_file(int descriptor);

// The columns and rows of a terminal; 0 where it is none, or does not say.
int holt_terminal_columns(int descriptor);
int holt_terminal_rows(int descriptor);

// Has writes to a pipe that nobody reads fail, in place of ending the process.
void holt_ignore_broken_pipe_signal(void);

// Ends the process at once with a status, without what is run at an end.
void holt_exit_now(int status);

// Starts $HOLT_PAGER or $PAGER, or less, with a pipe to its standard input, whose descriptor is given; -1 where that
// fails. Only one runs at a time.
int holt_pager_open(void);
// Waits until the pager has ended.
void holt_pager_close(void);

// Has interrupts and requests to end not end the process: who calls this looks for them otherwise.
void holt_ignore_interrupts(void);

#endif
