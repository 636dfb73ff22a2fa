internal import CSQLite

extension Changeset {
  /// A change that can't be applied. It is valid only during the call of the conflict handler.
  @safe public struct Conflict: ~Copyable {
    /// The kind of a conflict.
    public enum Kind: Hashable, Sendable {
      /// The row to update or delete does not have the values that the changeset expects.
      case data
      /// The row to update or delete does not exist.
      case notFound
      /// A row with the primary key of an inserted row exists.
      case primaryKey
      /// The change would violate a constraint: `UNIQUE`, `NOT NULL`, `CHECK`.
      case constraint
      /// Foreign keys are violated after all changes were applied. The changes that caused this are
      /// not known.
      case foreignKeys
    }

    /// The resolution of a conflict.
    public enum Resolution: Hashable, Sendable {
      /// Skips this change. For ``Kind/foreignKeys``, keeps the applied changes.
      case omit
      /// Replaces the existing row. Only for ``Kind/data`` and ``Kind/primaryKey``.
      case replace
      /// Rolls back all changes of the changeset.
      case abort
    }

    /// The kind of the conflict.
    public let kind: Kind
    private let iterator: OpaquePointer

    init(kind: Kind, iterator: OpaquePointer) {
      self.kind = kind
      unsafe self.iterator = iterator
    }

    /// The change; `nil` for ``Kind/foreignKeys``.
    public var change: Change? {
      var table: UnsafePointer<CChar>?
      var (columns, operation, indirect): (Int32, Int32, Int32) = (0, 0, 0)
      var flags: UnsafeMutablePointer<UInt8>?
      guard kind != .foreignKeys,
        unsafe holt_changeset_op(iterator, &table, &columns, &operation, &indirect) == SQLITE_OK,
        unsafe holt_changeset_pk(iterator, &flags, &columns) == SQLITE_OK,
        let table = unsafe table, let flags = unsafe flags
      else { return nil }
      let kind = Hooks.RowChange.Kind(operation: operation)
      let old = unsafe values(columns, where: kind != .insert) {
        unsafe holt_changeset_old(iterator, $0, &$1)
      }
      var new = unsafe values(columns, where: kind != .delete) {
        unsafe holt_changeset_new(iterator, $0, &$1)
      }
      let primaryKey = (0..<Int(columns)).map { unsafe flags[$0] != 0 }
      for index in primaryKey.indices where kind == .update && primaryKey[index] {
        new[index] = nil
      }
      return Change(
        table: unsafe String(cString: table), operation: kind, isIndirect: indirect != 0,
        primaryKey: primaryKey, oldValues: old, newValues: new)
    }

    /// The values of the existing row, for ``Kind/data`` and ``Kind/primaryKey``; empty otherwise.
    public var conflictingRow: [SQLiteValue] {
      guard kind == .data || kind == .primaryKey else { return [] }
      var flags: UnsafeMutablePointer<UInt8>?
      var columns: Int32 = 0
      guard unsafe holt_changeset_pk(iterator, &flags, &columns) == SQLITE_OK else { return [] }
      return unsafe values(columns, where: true) {
        unsafe holt_changeset_conflicting(iterator, $0, &$1)
      }
      .map { $0 ?? .null }
    }

    private func values(
      _ count: Int32, where exists: Bool, _ read: (Int32, inout OpaquePointer?) -> Int32
    ) -> [SQLiteValue?] {
      (0..<count).map { index in
        var value: OpaquePointer?
        guard exists, unsafe read(index, &value) == SQLITE_OK, let value = unsafe value else {
          return nil
        }
        return unsafe EngineValue(value).copy
      }
    }
  }
}

extension Changeset.Conflict.Kind {
  fileprivate init?(code: Int32) {
    switch code {
    case Int32(holt_changeset_data): self = .data
    case Int32(holt_changeset_not_found): self = .notFound
    case Int32(holt_changeset_conflict): self = .primaryKey
    case Int32(holt_changeset_constraint): self = .constraint
    case Int32(holt_changeset_foreign_key): self = .foreignKeys
    default: return nil
    }
  }
}

extension Changeset {
  /// Options for applying a changeset.
  public struct ApplyOptions: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Applies the changeset's inverse.
    public static let inverted = ApplyOptions(rawValue: 1)
    /// Changes that have no effect on their row are not conflicts. Requires SQLite 3.41.
    public static let ignoringNoOps = ApplyOptions(rawValue: 2)

    fileprivate func flags() throws(SQLiteError) -> Int32 {
      if contains(.ignoringNoOps) { try SQLiteLibrary.require(.ignoringAppliedChanges) }
      // The connection opens the savepoint itself, so that its observers are notified.
      var flags = Int32(holt_apply_no_savepoint)
      if contains(.inverted) { flags |= Int32(holt_apply_invert) }
      if contains(.ignoringNoOps) { flags |= Int32(holt_apply_ignore_noop) }
      return flags
    }
  }
}

/// The callbacks and the result of one application of a changeset.
private final class ChangesetApplication {
  let isIncluded: (String) -> Bool
  let resolve: (borrowing Changeset.Conflict) throws -> Changeset.Conflict.Resolution
  /// The error that `resolve` threw.
  var failure: (any Error)?
  var hadConflicts = false

  init(
    _ isIncluded: @escaping (String) -> Bool,
    _ resolve: @escaping (borrowing Changeset.Conflict) throws -> Changeset.Conflict.Resolution
  ) {
    self.isIncluded = isIncluded
    self.resolve = resolve
  }
}

extension ConnectionHandle {
  /// Applies a validated changeset in the current transaction, if any.
  func apply(
    _ bytes: [UInt8], options: Changeset.ApplyOptions, tables isIncluded: (String) -> Bool,
    onConflict resolve: (borrowing Changeset.Conflict) throws -> Changeset.Conflict.Resolution
  ) throws -> [UInt8] {
    let db = unsafe try pointer()
    try SQLiteLibrary.require(.sessions)
    let flags = try options.flags()
    enablePreupdateHook()
    return try withoutActuallyEscaping(isIncluded) { isIncluded in
      try withoutActuallyEscaping(resolve) { resolve in
        let application = ChangesetApplication(isIncluded, resolve)
        let context = unsafe Unmanaged.passUnretained(application).toOpaque()
        var count: Int32 = 0
        var rebase: UnsafeMutableRawPointer?
        let rc = unsafe bytes.withUnsafeBytes { bytes in
          hooks.inCallback {
            unsafe holt_changeset_apply(
              db, Int32(bytes.count), UnsafeMutableRawPointer(mutating: bytes.baseAddress),
              includeCallback, conflictCallback, context, &rebase, &count, flags)
          }
        }
        defer { unsafe sqlite3_free(rebase) }
        let failure = rc == SQLITE_OK ? nil : error(rc, sql: nil)
        // Changes may have been reported that were not applied.
        if failure != nil || application.hadConflicts {
          hooks.statementDidRun(Statement.Access(), failed: true)
        }
        hooks.deliverEvents(on: self)
        if let failure {
          throw application.failure ?? failure.addingContext("applying a changeset")
        }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: rebase, count: Int(count)))
      }
    }
  }
}

private func includeCallback(
  context: UnsafeMutableRawPointer?, table: UnsafePointer<CChar>?
) -> Int32 {
  guard let context = unsafe context, let table = unsafe table else { return 0 }
  let application = unsafe Unmanaged<ChangesetApplication>.fromOpaque(context).takeUnretainedValue()
  return application.isIncluded(unsafe String(cString: table)) ? 1 : 0
}

private func conflictCallback(
  context: UnsafeMutableRawPointer?, code: Int32, iterator: OpaquePointer?
) -> Int32 {
  guard let context = unsafe context, let iterator = unsafe iterator,
    let kind = Changeset.Conflict.Kind(code: code)
  else { return Int32(holt_changeset_abort) }
  let application = unsafe Unmanaged<ChangesetApplication>.fromOpaque(context).takeUnretainedValue()
  application.hadConflicts = true
  do {
    switch try application.resolve(unsafe Changeset.Conflict(kind: kind, iterator: iterator)) {
    case .omit: return Int32(holt_changeset_omit)
    case .replace:
      guard kind == .data || kind == .primaryKey else {
        throw SQLiteError(
          code: .misuse,
          message: "`replace` resolves data and primary key conflicts only, not \(kind)")
      }
      return Int32(holt_changeset_replace)
    case .abort: return Int32(holt_changeset_abort)
    }
  } catch {
    application.failure = error
    return Int32(holt_changeset_abort)
  }
}
