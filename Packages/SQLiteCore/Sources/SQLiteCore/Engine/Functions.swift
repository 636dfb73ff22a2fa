internal import CSQLite

/// The arguments of a callback: SQLite's array, valid during the call.
@safe struct EngineValues {
  let count: Int
  private let start: UnsafeMutablePointer<OpaquePointer?>?

  init(count: Int32, start: UnsafeMutablePointer<OpaquePointer?>?) {
    self.count = Int(count)
    unsafe self.start = start
  }

  /// The index must be in `0 ..< count`.
  subscript(index: Int) -> EngineValue {
    guard let pointer = unsafe start?[index] else {
      preconditionFailure("SQLite passed no value for an argument")
    }
    return unsafe EngineValue(pointer)
  }

  /// Returns the values without the first `count`, which must be in `0 ... self.count`.
  func dropFirst(_ count: Int) -> EngineValues {
    unsafe EngineValues(count: Int32(self.count - count), start: start?.advanced(by: count))
  }
}

typealias ScalarBody = (borrowing FunctionArguments) throws -> SQLiteValue

/// The user data of a scalar function.
final class ScalarBox {
  let body: ScalarBody

  init(_ body: @escaping ScalarBody) { self.body = body }
}

/// The user data of a collation.
private final class CollationBox {
  let compare: (String, String) -> Int

  init(_ compare: @escaping (String, String) -> Int) { self.compare = compare }
}

extension ConnectionHandle {
  func createFunction(
    _ name: String, argumentCount: Int?, options: Connection.FunctionOptions,
    body: @escaping (borrowing FunctionArguments) throws -> SQLiteValue
  ) throws(SQLiteError) {
    let db = unsafe try pointer()
    hooks.hasChangedSettings.value = true
    let count = try Self.functionArity(argumentCount)
    try Self.checkNoNUL(in: name)
    // SQLite frees the box when the function is replaced, when the database is closed, or when this
    // call fails.
    let box = unsafe Unmanaged.passRetained(ScalarBox(body)).toOpaque()
    let rc = unsafe sqlite3_create_function_v2(
      db, name, count, options.flags, box, callScalar, nil, nil,
      { unsafe $0.map { unsafe Unmanaged<ScalarBox>.fromOpaque($0).release() } })
    guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
  }

  func deleteFunction(_ name: String, argumentCount: Int?) throws(SQLiteError) {
    let db = unsafe try pointer()
    hooks.hasChangedSettings.value = true
    let count = try Self.functionArity(argumentCount)
    try Self.checkNoNUL(in: name)
    let rc = unsafe sqlite3_create_function_v2(
      db, name, count, SQLITE_UTF8, nil, nil, nil, nil, nil)
    guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
  }

  func createPlaceholder(for name: String, argumentCount: Int?) throws(SQLiteError) {
    let db = unsafe try pointer()
    hooks.hasChangedSettings.value = true
    let count = try Self.functionArity(argumentCount)
    try Self.checkNoNUL(in: name)
    let rc = unsafe sqlite3_overload_function(db, name, count)
    guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
  }

  func createCollation(
    _ name: String, _ compare: @escaping (String, String) -> Int
  ) throws(SQLiteError) {
    let db = unsafe try pointer()
    hooks.hasChangedSettings.value = true
    try Self.checkNoNUL(in: name)
    let box = unsafe Unmanaged.passRetained(CollationBox(compare))
    let rc = unsafe sqlite3_create_collation_v2(
      db, name, SQLITE_UTF8, box.toOpaque(), compareTexts,
      { unsafe $0.map { unsafe Unmanaged<CollationBox>.fromOpaque($0).release() } })
    guard rc == SQLITE_OK else {
      // Unlike for functions, SQLite does not free the box of a collation that it refuses.
      unsafe box.release()
      throw error(rc, sql: nil)
    }
  }

  static func functionArity(_ count: Int?) throws(SQLiteError) -> Int32 {
    guard let count else { return -1 }
    guard (0...127).contains(count) else {
      throw SQLiteError(code: .misuse, message: "a function takes 0 to 127 arguments, not \(count)")
    }
    return Int32(count)
  }

  /// Throws if the name contains a NUL, because SQLite would truncate it there.
  static func checkNoNUL(in name: String) throws(SQLiteError) {
    guard !name.utf8.contains(0) else {
      throw SQLiteError(code: .misuse, message: "the name contains a NUL character")
    }
  }
}

extension Connection.FunctionOptions {
  var flags: Int32 {
    var flags = SQLITE_UTF8
    if contains(.deterministic) { flags |= SQLITE_DETERMINISTIC }
    if contains(.innocuous) { flags |= SQLITE_INNOCUOUS }
    if contains(.directOnly) { flags |= SQLITE_DIRECTONLY }
    return flags
  }
}

func callScalar(
  context: OpaquePointer?, count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let context = unsafe context, let data = unsafe sqlite3_user_data(context) else { return }
  let box = unsafe Unmanaged<ScalarBox>.fromOpaque(data).takeUnretainedValue()
  let arguments = unsafe FunctionArguments(values: EngineValues(count: count, start: values))
  do {
    unsafe setResult(try box.body(arguments), to: context)
  } catch {
    unsafe fail(error, to: context)
  }
}

private func compareTexts(
  box: UnsafeMutableRawPointer?, aCount: Int32, a: UnsafeRawPointer?, bCount: Int32,
  b: UnsafeRawPointer?
) -> Int32 {
  guard let box = unsafe box else { return 0 }
  let collation = unsafe Unmanaged<CollationBox>.fromOpaque(box).takeUnretainedValue()
  let first = unsafe String(
    decoding: UnsafeRawBufferPointer(start: a, count: Int(aCount)), as: UTF8.self)
  let second = unsafe String(
    decoding: UnsafeRawBufferPointer(start: b, count: Int(bCount)), as: UTF8.self)
  return Int32(collation.compare(first, second).signum())
}

func setResult(_ value: SQLiteValue, to context: OpaquePointer) {
  switch value {
  case .null: unsafe sqlite3_result_null(context)
  case .integer(let value): unsafe sqlite3_result_int64(context, value)
  case .real(let value): unsafe sqlite3_result_double(context, value)
  case .text(var text):
    text.withUTF8 { bytes in
      let count = UInt64(bytes.count)
      guard let base = bytes.baseAddress else { return unsafe holt_result_text(context, "", 0) }
      unsafe base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        unsafe holt_result_text(context, $0, count)
      }
    }
  case .blob(let bytes):
    if bytes.isEmpty { return unsafe sqlite3_result_zeroblob(context, 0) }
    unsafe bytes.withUnsafeBytes {
      unsafe holt_result_blob(context, $0.baseAddress, UInt64($0.count))
    }
  }
}

func fail(_ error: any Error, to context: OpaquePointer) {
  unsafe sqlite3_result_error(context, message(of: error), -1)
  // The code is set last, because setting the message resets it to `SQLITE_ERROR`.
  let code = engineCode(of: error)
  if code != SQLITE_ERROR { unsafe sqlite3_result_error_code(context, code) }
}
