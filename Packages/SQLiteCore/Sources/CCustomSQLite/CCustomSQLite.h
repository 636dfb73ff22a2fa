// An SQLite that the app supplies, enabled by the trait CustomSQLite (decision 56).
#define HOLT_BINDS_DIRECTLY 1

#include "../CSystemSQLite/modules.h"
#include "../CSystemSQLite/sessions.h"
#include "../CSystemSQLite/shim.h"
#include "../CSystemSQLite/utf8.h"
