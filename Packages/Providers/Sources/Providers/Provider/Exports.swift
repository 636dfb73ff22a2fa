// Literals are converted to `SQL` only in files that import its module, which every use of a
// provider needs.
@_exported public import struct SQLiteCore.SQL
