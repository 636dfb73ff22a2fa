#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

int holt_is_terminal(int descriptor) { return isatty(descriptor) == 1; }

int holt_is_pipe_or_file(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return 0;
  return S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
}

static struct winsize size_of(int descriptor) {
  struct winsize size = {0};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) {
    size.ws_col = 0;
    size.ws_row = 0;
  }
  return size;
}

int holt_terminal_columns(int descriptor) { return size_of(descriptor).ws_col; }
int holt_terminal_rows(int descriptor) { return size_of(descriptor).ws_row; }

void holt_ignore_broken_pipe_signal(void) { signal(SIGPIPE, SIG_IGN); }

void holt_exit_now(int status) { _exit(status); }

static pid_t pager = -1;
static int pager_input = -1;

// Doesn't use popen, since the pager must not inherit the ignored SIGPIPE.
int holt_pager_open(void) {
  const char *command = getenv("PAGER");
  if (!command || !*command) command = "less";
  int ends[2];
  if (pipe(ends) != 0) return -1;
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    return -1;
  }
  if (child == 0) {
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    close(ends[1]);
    // Show colors, exit if the text fits on the screen, don't clear the screen, chop long lines.
    setenv("LESS", "FRSX", 0);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  close(ends[0]);
  pager = child;
  pager_input = ends[1];
  return pager_input;
}

void holt_pager_close(void) {
  if (pager < 0) return;
  close(pager_input);
  int status;
  while (waitpid(pager, &status, 0) < 0 && errno == EINTR) {}
  pager = -1;
  pager_input = -1;
}

int holt_ignore_interrupts(void) {
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  return signal(SIGHUP, SIG_IGN) != SIG_IGN;
}
