// The SQLite that comes with the system.
#include "modules.h"
#include "sessions.h"
#include "shim.h"
#include "utf8.h"
