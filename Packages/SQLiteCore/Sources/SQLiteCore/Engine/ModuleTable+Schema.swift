internal import CSQLite
internal import Primitives

extension UnsafeMutablePointer<sqlite3_module> {
  func addRenamingCallback() { unsafe pointee.xRename = renameTable }

  func addOverloadingCallback() { unsafe pointee.xFindFunction = findFunction }

  func addShadowNames(_ function: @escaping ShadowNames.Function) {
    unsafe pointee.iVersion = max(pointee.iVersion, 3)
    unsafe pointee.xShadowName = unsafe function
  }

  func addIntegrityCallback() { unsafe holt_set_integrity_check(self, checkIntegrity) }
}

private func renameTable(
  table: UnsafeMutablePointer<sqlite3_vtab>?, name: UnsafePointer<CChar>?
) -> Int32 {
  unsafe ModuleTable.attempt(table) { state in
    guard let renamable = state.table as? any VirtualTable.RenamableTable,
      let name = unsafe name
    else { return SQLITE_ERROR }
    try renamable.rename(to: unsafe String(cString: name))
    return SQLITE_OK
  }
}

/// The flag of `PRAGMA quick_check`.
private let quickCheck: Int32 = 1

private func checkIntegrity(
  table: UnsafeMutablePointer<sqlite3_vtab>?, schema: UnsafePointer<CChar>?,
  name: UnsafePointer<CChar>?, flags: Int32,
  message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  unsafe ModuleTable.attempt(table) { state in
    guard let checkable = state.table as? any VirtualTable.CheckableTable else { return SQLITE_OK }
    if let fault = try checkable.integrityFault(isQuick: flags & quickCheck != 0) {
      unsafe message?.pointee = unsafe holt_copy_text(fault)
    }
    return SQLITE_OK
  }
}

/// A function's name and number of arguments.
struct FunctionSignature: Hashable {
  let name: String
  let argumentCount: Int
}

/// https://sqlite.org/vtab.html#xfindfunction
private func findFunction(
  table: UnsafeMutablePointer<sqlite3_vtab>?, count: Int32, name: UnsafePointer<CChar>?,
  function: UnsafeMutablePointer<
    (@convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void)?
  >?,
  context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
  guard let state = unsafe ModuleTable.of(table), let name = unsafe name else { return 0 }
  let signature = FunctionSignature(
    name: SQLName.folded(unsafe String(cString: name)), argumentCount: Int(count))
  guard let overload = state.overload(signature) else { return 0 }
  unsafe function?.pointee = callScalar
  // The table keeps the function.
  unsafe context?.pointee = unsafe Unmanaged.passUnretained(overload.function).toOpaque()
  return overload.constraint.map { Int32($0.rawValue) } ?? 1
}

/// The callbacks by which the engine recognizes a module's shadow tables.
///
/// The engine passes only a name to such a callback, without a context pointer. Hence each distinct set of suffixes in
/// the process has its own callback.
enum ShadowNames {
  typealias Function = @convention(c) (UnsafePointer<CChar>?) -> Int32

  private static let sets = Mutex<[Set<String>]>([])

  /// Returns the callback for a set of suffixes; `nil` if the set is empty.
  static func function(for names: Set<String>) throws(SQLiteError) -> Function? {
    if names.isEmpty { return nil }
    for name in names {
      guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "_")) else {
        throw SQLiteError(
          code: .misuse,
          message: "the shadow name \"\(name)\" is empty or contains an underscore")
      }
      try ConnectionHandle.checkNoNUL(in: name)
    }
    let folded = Set(names.map { SQLName.folded($0) })
    let index = sets.withLock { sets -> Int? in
      if let existing = sets.firstIndex(of: folded) { return existing }
      guard unsafe sets.count < functions.count else { return nil }
      sets.append(folded)
      return sets.count - 1
    }
    guard let index else {
      throw SQLiteError(
        code: .unsupported,
        message: "the process already has modules with \(unsafe functions.count) different sets of "
          + "shadow names, which is the maximum")
    }
    return unsafe functions[index]
  }

  private static func contains(_ name: UnsafePointer<CChar>?, in index: Int) -> Int32 {
    guard let name = unsafe name else { return 0 }
    let folded = SQLName.folded(unsafe String(cString: name))
    return sets.withLock { $0[index].contains(folded) } ? 1 : 0
  }

  private static let functions: [Function] = unsafe [
    { unsafe ShadowNames.contains($0, in: 0) },
    { unsafe ShadowNames.contains($0, in: 1) },
    { unsafe ShadowNames.contains($0, in: 2) },
    { unsafe ShadowNames.contains($0, in: 3) },
    { unsafe ShadowNames.contains($0, in: 4) },
    { unsafe ShadowNames.contains($0, in: 5) },
    { unsafe ShadowNames.contains($0, in: 6) },
    { unsafe ShadowNames.contains($0, in: 7) },
    { unsafe ShadowNames.contains($0, in: 8) },
    { unsafe ShadowNames.contains($0, in: 9) },
    { unsafe ShadowNames.contains($0, in: 10) },
    { unsafe ShadowNames.contains($0, in: 11) },
    { unsafe ShadowNames.contains($0, in: 12) },
    { unsafe ShadowNames.contains($0, in: 13) },
    { unsafe ShadowNames.contains($0, in: 14) },
    { unsafe ShadowNames.contains($0, in: 15) },
  ]
}
