internal import CSQLite

extension Changeset {
  /// Returns the changeset that undoes this one: inserts become deletes, and updates are reversed.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` for a patchset, which does not
  ///   contain the old values; with ``SQLiteError/Code/unsupported`` if SQLite was built without
  ///   the session extension.
  /// - Complexity: O(*n*) in the size of the changeset.
  public func inverted() throws(SQLiteError) -> Changeset {
    try SQLiteLibrary.require(.sessions)
    if isEmpty { return self }
    guard !isPatchset else {
      throw SQLiteError(
        code: .misuse, message: "a patchset can't be inverted: it does not contain the old values")
    }
    return unsafe try Self.makeChangeset("inverting a changeset") { count, result in
      unsafe bytes.withUnsafeBytes {
        unsafe holt_changeset_invert(Int32($0.count), $0.baseAddress, count, result)
      }
    }
  }

  /// Returns a changeset with the combined effect of this one and `next`.
  ///
  /// - Throws: The same errors as ``joined(_:)``.
  public func concatenated(with next: Changeset) throws(SQLiteError) -> Changeset {
    try Self.joined([self, next])
  }

  /// Returns a changeset with the combined effect of several, applied in order. Multiple changes of
  /// a row become one change, or none if they cancel out.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` if changesets and patchsets
  ///   are mixed; with ``SQLiteError/Code/schema`` if they disagree on a table's columns; with
  ///   ``SQLiteError/Code/unsupported`` if SQLite was built without the session extension.
  public static func joined(_ changesets: [Changeset]) throws(SQLiteError) -> Changeset {
    try SQLiteLibrary.require(.sessions)
    let parts = changesets.filter { !$0.isEmpty }
    guard let first = parts.first else { return .empty }
    guard parts.allSatisfy({ $0.isPatchset == first.isPatchset }) else {
      throw SQLiteError(code: .misuse, message: "a changeset and a patchset can't be joined")
    }
    var group: OpaquePointer?
    let rc = unsafe holt_changegroup_new(&group)
    guard rc == SQLITE_OK, let group = unsafe group else {
      throw SQLiteError(engineCode: rc, operation: "joining changesets")
    }
    defer { unsafe holt_changegroup_delete(group) }
    for part in parts {
      // The C parameter is not const, but is only read.
      let rc = unsafe part.bytes.withUnsafeBytes {
        unsafe holt_changegroup_add(
          group, Int32($0.count), UnsafeMutableRawPointer(mutating: $0.baseAddress))
      }
      guard rc == SQLITE_OK else {
        throw SQLiteError(engineCode: rc, operation: "joining changesets")
      }
    }
    return unsafe try makeChangeset("joining changesets") { count, result in
      unsafe holt_changegroup_output(group, count, result)
    }
  }

  /// Rebases this changeset onto others that were applied first and met conflicts. It yields to
  /// changes that won a conflict.
  ///
  /// ```swift
  /// // `local` was recorded here; `remote` elsewhere, from the same start.
  /// let rebase = try connection.apply(remote) { _ in .omit }
  /// let ours = try local.rebased(on: [rebase])
  /// ```
  ///
  /// - Parameter data: The rebase data returned by applying each of the other changesets, in the
  ///   order of application.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/schema`` if the changesets disagree on
  ///   a table's columns; with ``SQLiteError/Code/unsupported`` if SQLite was built without the
  ///   session extension.
  public func rebased(on data: [RebaseData]) throws(SQLiteError) -> Changeset {
    try SQLiteLibrary.require(.sessions)
    let data = data.filter { !$0.isEmpty }
    if isEmpty || data.isEmpty { return self }
    var rebaser: OpaquePointer?
    let rc = unsafe holt_rebaser_create(&rebaser)
    guard rc == SQLITE_OK, let rebaser = unsafe rebaser else {
      throw SQLiteError(engineCode: rc, operation: "rebasing a changeset")
    }
    defer { unsafe holt_rebaser_delete(rebaser) }
    for part in data {
      let rc = unsafe part.bytes.withUnsafeBytes {
        unsafe holt_rebaser_configure(rebaser, Int32(clamping: $0.count), $0.baseAddress)
      }
      guard rc == SQLITE_OK else {
        throw SQLiteError(engineCode: rc, operation: "rebasing a changeset")
      }
    }
    return unsafe try Self.makeChangeset("rebasing a changeset") { count, result in
      unsafe bytes.withUnsafeBytes {
        unsafe holt_rebaser_rebase(rebaser, Int32($0.count), $0.baseAddress, count, result)
      }
    }
  }

  private static func makeChangeset(
    _ operation: String,
    _ call: (UnsafeMutablePointer<Int32>, UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> Int32
  ) throws(SQLiteError) -> Changeset {
    let (rc, bytes) = unsafe copyBytes(call)
    guard rc == SQLITE_OK else { throw SQLiteError(engineCode: rc, operation: operation) }
    return Changeset(trusted: bytes)
  }

  /// Returns the code of a call, and a copy of the bytes that it allocates, which are freed.
  static func copyBytes(
    _ call: (UnsafeMutablePointer<Int32>, UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> Int32
  ) -> (rc: Int32, bytes: [UInt8]) {
    var count: Int32 = 0
    var bytes: UnsafeMutableRawPointer?
    let rc = unsafe call(&count, &bytes)
    defer { unsafe sqlite3_free(bytes) }
    guard rc == SQLITE_OK else { return (rc, []) }
    return (rc, unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count))))
  }
}
