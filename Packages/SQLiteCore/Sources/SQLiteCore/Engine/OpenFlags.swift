internal import CSQLite

/// How a file is opened.
enum OpenFlags {
  static let readOnly = SQLITE_OPEN_READONLY
  static let readWrite = SQLITE_OPEN_READWRITE
  static let readWriteCreate = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
}
