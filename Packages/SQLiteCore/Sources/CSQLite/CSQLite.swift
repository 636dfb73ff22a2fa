// The SQLite that the enabled trait names; the system's if none does.
#if SQLCipher
  @_exported public import CSQLCipher
#elseif CustomSQLite
  @_exported public import CCustomSQLite
#else
  @_exported public import CSystemSQLite
#endif
