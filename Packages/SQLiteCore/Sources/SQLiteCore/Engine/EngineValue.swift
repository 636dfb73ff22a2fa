internal import CSQLite

/// A `sqlite3_value *` that the engine lends for the length of one call.
@safe struct EngineValue {
  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

  var storageClass: StorageClass {
    StorageClass(engineCode: unsafe sqlite3_value_type(pointer))
  }

  /// A copy of the value. Text that is not UTF-8 is repaired, for a callback has no row to blame.
  var copy: SQLiteValue {
    switch storageClass {
    case .null: .null
    case .integer: .integer(unsafe sqlite3_value_int64(pointer))
    case .real: .real(unsafe sqlite3_value_double(pointer))
    case .text:
      unsafe .text(String(decoding: bytes(sqlite3_value_text(pointer)), as: UTF8.self))
    case .blob:
      unsafe .blob([UInt8](bytes(sqlite3_value_blob(pointer))))
    }
  }

  private func bytes(_ start: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
    let count = Int(unsafe sqlite3_value_bytes(pointer))
    return unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  }

  /// The length of a text or a blob; none for what is neither.
  var byteCount: Int {
    switch storageClass {
    case .text, .blob: Int(unsafe sqlite3_value_bytes(pointer))
    default: 0
    }
  }

  /// Whether two values are of one storage class and hold the same bits.
  func isIdentical(to other: EngineValue) -> Bool {
    guard storageClass == other.storageClass else { return false }
    switch storageClass {
    case .null: return true
    case .integer:
      return unsafe sqlite3_value_int64(pointer) == sqlite3_value_int64(other.pointer)
    case .real:
      return unsafe sqlite3_value_double(pointer).bitPattern
        == sqlite3_value_double(other.pointer).bitPattern
    case .text:
      return unsafe bytes(sqlite3_value_text(pointer))
        .elementsEqual(other.bytes(sqlite3_value_text(other.pointer)))
    case .blob:
      return unsafe bytes(sqlite3_value_blob(pointer))
        .elementsEqual(other.bytes(sqlite3_value_blob(other.pointer)))
    }
  }
}
