// The system's SQLite.
#include "modules.h"
#include "sessions.h"
#include "shim.h"
#include "utf8.h"
