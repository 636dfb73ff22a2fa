internal import CSQLite

extension Changeset {
  /// The changeset that undoes this one: inserts become deletes, updates go back.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` for a patchset, which does not hold the
  ///   old values; with ``SQLiteError/Code/unsupported`` where SQLite has no session extension.
  /// - Complexity: O(*n*) in the size of the changeset.
  public func inverted() throws(SQLiteError) -> Changeset {
    try SQLiteLibrary.require(.sessions)
    if isEmpty { return self }
    guard !isPatchset else {
      throw SQLiteError(code: .misuse, message: "a patchset holds no old values to go back to")
    }
    return unsafe try Self.made("inverting a changeset") { count, result in
      unsafe bytes.withUnsafeBytes {
        unsafe holt_changeset_invert(Int32($0.count), $0.baseAddress, count, result)
      }
    }
  }

  /// One changeset that does what this one does, and then what `next` does.
  ///
  /// - Throws: As ``joined(_:)``.
  public func concatenated(with next: Changeset) throws(SQLiteError) -> Changeset {
    try Self.joined([self, next])
  }

  /// One changeset that does what several do, one after another: of several changes of a row it has one,
  /// or none where nothing comes of them.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` where a patchset is among changesets;
  ///   with ``SQLiteError/Code/schema`` where they do not agree on a table's columns; with
  ///   ``SQLiteError/Code/unsupported`` where SQLite has no session extension.
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
      throw Engine.error(rc, "joining changesets")
    }
    defer { unsafe holt_changegroup_delete(group) }
    for part in parts {
      // The engine's parameter is not const; it only reads.
      let rc = unsafe part.bytes.withUnsafeBytes {
        unsafe holt_changegroup_add(
          group, Int32($0.count), UnsafeMutableRawPointer(mutating: $0.baseAddress))
      }
      guard rc == SQLITE_OK else { throw Engine.error(rc, "joining changesets") }
    }
    return unsafe try made("joining changesets") { count, result in
      unsafe holt_changegroup_output(group, count, result)
    }
  }

  /// This changeset, as it must be for a database on which others were applied first, and met conflicts:
  /// where they won, it gives way.
  ///
  /// ```swift
  /// // `local` was recorded here; `remote` elsewhere, from the same start.
  /// let rebase = try connection.apply(remote) { _ in .omit }
  /// let ours = try local.rebased(on: [rebase])
  /// ```
  ///
  /// - Parameter data: What applying each of the others gave, in that order.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/schema`` where they do not agree on a table's
  ///   columns; with ``SQLiteError/Code/unsupported`` where SQLite has no session extension.
  public func rebased(on data: [RebaseData]) throws(SQLiteError) -> Changeset {
    try SQLiteLibrary.require(.sessions)
    let data = data.filter { !$0.isEmpty }
    if isEmpty || data.isEmpty { return self }
    var rebaser: OpaquePointer?
    let rc = unsafe holt_rebaser_create(&rebaser)
    guard rc == SQLITE_OK, let rebaser = unsafe rebaser else {
      throw Engine.error(rc, "rebasing a changeset")
    }
    defer { unsafe holt_rebaser_delete(rebaser) }
    for part in data {
      let rc = unsafe part.bytes.withUnsafeBytes {
        unsafe holt_rebaser_configure(rebaser, Int32(clamping: $0.count), $0.baseAddress)
      }
      guard rc == SQLITE_OK else { throw Engine.error(rc, "rebasing a changeset") }
    }
    return unsafe try Self.made("rebasing a changeset") { count, result in
      unsafe bytes.withUnsafeBytes {
        unsafe holt_rebaser_rebase(rebaser, Int32($0.count), $0.baseAddress, count, result)
      }
    }
  }

  private static func made(
    _ deed: String,
    _ call: (UnsafeMutablePointer<Int32>, UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> Int32
  ) throws(SQLiteError) -> Changeset {
    switch unsafe Engine.takeBytes(call) {
    case .success(let bytes): return Changeset(trusted: bytes)
    case .failure(let rc): throw Engine.error(rc, deed)
    }
  }
}
