internal import CSQLite

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension EngineValue {
  /// The blob, copied once; `nil` if the value is not a blob.
  var data: Data? {
    guard unsafe sqlite3_value_type(pointer) == SQLITE_BLOB else { return nil }
    guard let start = unsafe sqlite3_value_blob(pointer) else { return Data() }
    return unsafe Data(bytes: start, count: Int(sqlite3_value_bytes(pointer)))
  }
}
