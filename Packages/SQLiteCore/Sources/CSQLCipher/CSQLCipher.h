// SQLCipher, enabled by the trait of the same name.
#include "../CSystemSQLite/modules.h"
#include "../CSystemSQLite/sessions.h"
#include "../CSystemSQLite/shim.h"
#include "../CSystemSQLite/utf8.h"

// sqlite3.h hides these unless SQLITE_HAS_CODEC is defined.
int sqlite3_key_v2(sqlite3 *db, const char *schema, const void *key, int count);
int sqlite3_rekey_v2(sqlite3 *db, const char *schema, const void *key, int count);
