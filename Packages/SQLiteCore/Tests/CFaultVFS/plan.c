#include "faultvfs.h"

int fault_next(System *system, int kind) {
  system->calls[FAULT_ANY]++;
  system->calls[kind]++;
  if (!system->is_off) {
    if (!system->action) return FAULT_NOTHING;
    if (system->kind != FAULT_ANY && system->kind != kind) return FAULT_NOTHING;
    long long count = system->calls[system->kind];
    if (count < system->n || (count > system->n && !system->lasting)) return FAULT_NOTHING;
    if (system->action == FAULT_POWER) system->is_off = 1;
  }
  system->strikes++;
  return system->is_off ? FAULT_POWER : system->action;
}

// The same for a call on an open file. A file that was opened before a reboot is dead.
int fault_next_of(File *file, int kind) {
  if (file->generation != file->system->generation) return FAULT_POWER;
  return fault_next(file->system, kind);
}
