internal import CSQLite

/// A `sqlite3_value *` that the engine lends: for the length of one call, or as long as its row is
/// the statement's current one.
@safe struct EngineValue {
  /// For this folder alone.
  let pointer: OpaquePointer

  @inline(__always)
  init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

  @inline(__always)
  var storageClass: SQLiteValue.StorageClass {
    SQLiteValue.StorageClass(engineCode: unsafe sqlite3_value_type(pointer))
  }

  @inline(__always)
  var isNull: Bool { unsafe sqlite3_value_type(pointer) == SQLITE_NULL }

  /// The integer; `nil` where the value is something else.
  @inline(__always)
  var integer: Int64? {
    guard unsafe sqlite3_value_type(pointer) == SQLITE_INTEGER else { return nil }
    return unsafe sqlite3_value_int64(pointer)
  }

  /// The real number; `nil` where the value is something else.
  @inline(__always)
  var real: Double? {
    guard unsafe sqlite3_value_type(pointer) == SQLITE_FLOAT else { return nil }
    return unsafe sqlite3_value_double(pointer)
  }

  /// A value that was read as a text.
  enum Text {
    case text(String)
    /// A text that is not UTF-8.
    case invalid
    /// There was no memory for the text, which may be gone now: SQLite then has a NULL in its place.
    case outOfMemory
    /// Something else than a text.
    case other
  }

  /// The text, by its length and not up to its first NUL.
  @inline(__always)
  var text: Text {
    guard unsafe sqlite3_value_type(pointer) == SQLITE_TEXT else { return .other }
    // An empty text has an address, too.
    guard let start = unsafe sqlite3_value_text(pointer) else { return .outOfMemory }
    let count = Int(unsafe sqlite3_value_bytes(pointer))
    return unsafe String(exactly: UnsafeBufferPointer(start: start, count: count).span)
      .map(Text.text) ?? .invalid
  }

  /// A text's bytes as they are, also where they are not UTF-8.
  var textBytes: [UInt8] { unsafe [UInt8](bytes(sqlite3_value_text(pointer))) }

  /// A value that was read as a blob.
  enum Blob {
    case blob([UInt8])
    /// As for a text.
    case outOfMemory
    /// Something else than a blob.
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

  /// Whether a blob that has no address has no bytes, too.
  private var isEmptyBlob: Bool {
    unsafe sqlite3_value_type(pointer) == SQLITE_BLOB && sqlite3_value_bytes(pointer) == 0
  }

  /// Whether the bytes of a text or a blob are in memory, which SQLite may have to take some of: for a
  /// text that is stored as UTF-16, or a blob of zeros.
  var isAtHand: Bool {
    switch storageClass {
    case .text: unsafe sqlite3_value_text(pointer) != nil
    case .blob: unsafe sqlite3_value_blob(pointer) != nil || isEmptyBlob
    default: true
    }
  }

  /// Hands the bytes of a text or a blob to `body`, where they are; of anything else, none.
  ///
  /// They stay there as long as the row is the statement's current one.
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
