// The SQLite build selected by the package trait; the system's SQLite by default.
#if SQLCipher
  @_exported public import CSQLCipher
#elseif CustomSQLite
  @_exported public import CCustomSQLite
#else
  @_exported public import CSystemSQLite
#endif
