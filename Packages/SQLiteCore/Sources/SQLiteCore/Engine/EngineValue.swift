internal import CSQLite

/// An unowned `sqlite3_value *`, valid during one callback, or while its row is the statement's
/// current row.
@safe struct EngineValue {
  /// For use in this folder only.
  let pointer: OpaquePointer

  @inline(__always)
  init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

  @inline(__always)
  var storageClass: SQLiteValue.StorageClass {
    SQLiteValue.StorageClass(engineCode: unsafe sqlite3_value_type(pointer))
  }

  @inline(__always)
  var isNull: Bool { unsafe sqlite3_value_type(pointer) == SQLITE_NULL }

  /// The integer; `nil` if the value has another storage class.
  @inline(__always)
  var integer: Int64? {
    guard unsafe sqlite3_value_type(pointer) == SQLITE_INTEGER else { return nil }
    return unsafe sqlite3_value_int64(pointer)
  }

  /// The real number; `nil` if the value has another storage class.
  @inline(__always)
  var real: Double? {
    guard unsafe sqlite3_value_type(pointer) == SQLITE_FLOAT else { return nil }
    return unsafe sqlite3_value_double(pointer)
  }

  /// The result of reading a value as text.
  enum Text {
    case text(String)
    /// A text that is not UTF-8.
    case invalid
    /// Out of memory. SQLite may have replaced the value by NULL.
    case outOfMemory
    /// The value has another storage class.
    case other
  }

  /// The complete text, including NUL characters.
  @inline(__always)
  var text: Text {
    guard unsafe sqlite3_value_type(pointer) == SQLITE_TEXT else { return .other }
    // An empty text also has an address.
    guard let start = unsafe sqlite3_value_text(pointer) else { return .outOfMemory }
    let count = Int(unsafe sqlite3_value_bytes(pointer))
    return unsafe String(exactly: UnsafeBufferPointer(start: start, count: count).span)
      .map(Text.text) ?? .invalid
  }

  /// The bytes of a text, which need not be valid UTF-8.
  var textBytes: [UInt8] { unsafe [UInt8](bytes(sqlite3_value_text(pointer))) }

  /// The result of reading a value as a blob.
  enum Blob {
    case blob([UInt8])
    /// Out of memory, as for a text.
    case outOfMemory
    /// The value has another storage class.
    case other
  }

  /// The blob.
  @inline(__always)
  var blob: Blob {
    guard unsafe sqlite3_value_type(pointer) == SQLITE_BLOB else { return .other }
    guard let start = unsafe sqlite3_value_blob(pointer) else {
      return isEmptyBlob ? .blob([]) : .outOfMemory
    }
    let count = Int(unsafe sqlite3_value_bytes(pointer))
    return unsafe .blob([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
  }

  /// A Boolean value that indicates whether the value is an empty blob, which has no address.
  private var isEmptyBlob: Bool {
    unsafe sqlite3_value_type(pointer) == SQLITE_BLOB && sqlite3_value_bytes(pointer) == 0
  }

  /// A Boolean value that indicates whether the bytes of a text or blob are in memory as UTF-8 or
  /// as a blob. Converting UTF-16 text or expanding a zeroblob can run out of memory.
  var isMaterialized: Bool {
    switch storageClass {
    case .text: unsafe sqlite3_value_text(pointer) != nil
    case .blob: unsafe sqlite3_value_blob(pointer) != nil || isEmptyBlob
    default: true
    }
  }

  /// Passes the bytes of a text or blob to `body` without copying them; no bytes for other values.
  ///
  /// The bytes are valid while the row is the statement's current row.
  func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start: UnsafeRawPointer? =
      switch storageClass {
      case .text: unsafe UnsafeRawPointer(sqlite3_value_text(pointer))
      case .blob: unsafe sqlite3_value_blob(pointer)
      default: nil
      }
    return try unsafe body(bytes(start).bindMemory(to: UInt8.self).span)
  }

  /// A copy of the value. Invalid UTF-8 is repaired, because a callback has no row to report in an
  /// error.
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

  /// Returns the values of an `IN` list that a virtual table's cursor receives.
  func list() throws(SQLiteError) -> [SQLiteValue] {
    var values: [SQLiteValue] = []
    var element: OpaquePointer?
    var rc = unsafe holt_vtab_in_first(pointer, &element)
    while rc == SQLITE_OK, let current = unsafe element {
      unsafe values.append(EngineValue(current).copy)
      rc = unsafe holt_vtab_in_next(pointer, &element)
    }
    switch rc {
    case SQLITE_OK, SQLITE_DONE: return values
    case SQLITE_ERROR, SQLITE_MISUSE:
      throw SQLiteError(code: .misuse, message: "the argument is not a list of a virtual table")
    default: throw SQLiteError(code: .init(rawValue: rc), message: "the list can't be read")
    }
  }

  /// Indicates whether the value is a placeholder for a virtual table's column that an `UPDATE` does not change.
  var isUnchanged: Bool { unsafe sqlite3_value_nochange(pointer) != 0 }

  /// The number of bytes of a text or blob; 0 for other values.
  var byteCount: Int {
    switch storageClass {
    case .text, .blob: Int(unsafe sqlite3_value_bytes(pointer))
    default: 0
    }
  }

  /// Returns whether two values have the same storage class and the same bits.
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
