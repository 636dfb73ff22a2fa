internal import SQLiteCore

extension DataProvider {
  /// Opens a source in the document directory, or in the bundle.
  ///
  /// One that is not in the document directory begins empty. One of the bundle that is to be written is copied to
  /// the document directory, unless a copy is there already, and the copy is opened. A source that is open is
  /// closed before, as by `closeSource()`.
  ///
  /// ```swift
  /// try provider.openSource("Test.db")
  /// try provider.openSource("Template.db", fromBundle: true)
  /// try provider.openSource("Cities.json", fromBundle: true, readOnly: true)
  /// ```
  ///
  /// The document directory is the app's on Apple's platforms. On Linux it is a folder with the name of the program in
  /// `$XDG_DATA_HOME`, which is `~/.local/share` if it is not set; the bundle is the folder of the program there.
  ///
  /// - Parameters:
  ///   - fileName: A name, perhaps with folders before it. For a path, use `openSource(atPath:readOnly:)`.
  ///   - fromBundle: Whether the source came with the app, and does not lie in the document directory.
  ///   - readOnly: Whether nothing may be changed in it.
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/invalidName`` for a path that leads out of the directory, with
  ///   ``ProviderError/Code/notFound`` where there is no such file and none is made, with what is wrong in the file, and
  ///   where. Then nothing is open, and nothing has changed. Where the name is invalid, or what was open can't be closed,
  ///   that stays open. `SQLiteError` with code `nestedAccess` inside an access.
  public func openSource(
    _ fileName: String, fromBundle: Bool = false, readOnly: Bool = false
  ) throws {
    try session.open(
      fromBundle ? .bundle(fileName) : .documents(fileName), isReadOnly: readOnly)
  }

  /// Opens the source at a path, wherever that is. One that is not there begins empty, unless it is opened for
  /// reading alone.
  ///
  /// - Throws: As `openSource(_:fromBundle:readOnly:)`.
  public func openSource(atPath path: String, readOnly: Bool = false) throws {
    try session.open(.path(path), isReadOnly: readOnly)
  }

  /// Opens the source in the document directory; makes it there where it does not exist, at once.
  ///
  /// - Throws: As `openSource(_:fromBundle:readOnly:)`.
  public func createSource(_ fileName: String) throws { try session.create(.documents(fileName)) }

  /// Opens the source at a path; makes it there where it does not exist, at once.
  ///
  /// - Throws: As `openSource(_:fromBundle:readOnly:)`.
  public func createSource(atPath path: String) throws { try session.create(.path(path)) }

  /// Opens an empty source in memory. It is gone when it is closed, unless it was saved by `saveSource(_:)`.
  ///
  /// - Throws: What closing the one that was open throws.
  public func createSourceInMemory() throws { try session.create(.memory) }

  /// Writes what is open to another file in the document directory, and goes on with that one. The file that was
  /// open stays as it was when it was written last.
  ///
  /// A file that is there is replaced, whatever is in it. Who writes meanwhile waits, and writes to the new one.
  ///
  /// - Throws: ``ProviderError`` as `persist(overwritingChanges:)`; then the source that was open still is.
  public func saveSource(_ fileName: String) throws { try session.save(to: .documents(fileName)) }

  /// Writes what is open to the file at a path, and goes on with that one.
  ///
  /// - Throws: As `saveSource(_:)`.
  public func saveSource(atPath path: String) throws { try session.save(to: .path(path)) }

  /// Deletes a source in the document directory. Where it is open, it is closed before, and not written; one that was
  /// never written is then gone, too. Of a link, the link alone is deleted.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/notFound`` where there is no such file, and what the file
  ///   system says; `SQLiteError` with code `nestedAccess` inside an access.
  public func deleteSource(_ fileName: String) throws {
    try session.delete(.documents(fileName))
  }

  /// Deletes the source at a path. Where it is open, it is closed before, and not written.
  ///
  /// - Throws: As ``deleteSource(_:)``.
  public func deleteSource(atPath path: String) throws { try session.delete(.path(path)) }

  /// Writes what was changed to the file: a crash at any moment leaves the old file or the new one. A database has
  /// nothing to write.
  ///
  /// - Parameter overwritingChanges: Whether a file that someone else has changed since it was read is overwritten.
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/fileChanged`` where it has been; with
  ///   ``ProviderError/Code/unrepresentable`` where the format can't hold what the tables do; with
  ///   ``ProviderError/Code/transactionOpen`` while a transaction is; and what the file system says. Then the file is as
  ///   it was. `SQLiteError` with code `nestedAccess` inside an access, which it would wait for.
  public func persist(overwritingChanges: Bool = false) throws {
    try session.persist(overwritingChanges: overwritingChanges)
  }

  /// Writes what was changed, as `persist(overwritingChanges:)` does, and closes the source. Where none is open,
  /// nothing happens.
  ///
  /// Whatever was committed until then is written. Who waits to write or read is told that nothing is open.
  ///
  /// - Parameter discardingChanges: Whether what was changed is given up instead, and a transaction that is open
  ///   rolled back.
  /// - Throws: As `persist(overwritingChanges:)`; then the source stays open.
  public func closeSource(discardingChanges: Bool = false) throws {
    try session.close(discardingChanges: discardingChanges)
  }
}

/// The same without a thread that waits. A task that is cancelled meanwhile is not heard: what has begun comes to
/// its end.
extension DataProvider {
  /// Opens a source in the document directory, or in the bundle.
  ///
  /// - Throws: As the synchronous form.
  public func openSource(
    _ fileName: String, fromBundle: Bool = false, readOnly: Bool = false
  ) async throws {
    try await performBlocking { [session] in
      try session.open(
        fromBundle ? .bundle(fileName) : .documents(fileName), isReadOnly: readOnly)
    }
  }

  /// Opens the source at a path.
  ///
  /// - Throws: As the synchronous form.
  public func openSource(atPath path: String, readOnly: Bool = false) async throws {
    try await performBlocking { [session] in try session.open(.path(path), isReadOnly: readOnly) }
  }

  /// Opens the source in the document directory, and makes it there where it does not exist.
  ///
  /// - Throws: As the synchronous form.
  public func createSource(_ fileName: String) async throws {
    try await performBlocking { [session] in try session.create(.documents(fileName)) }
  }

  /// Opens the source at a path, and makes it there where it does not exist.
  ///
  /// - Throws: As the synchronous form.
  public func createSource(atPath path: String) async throws {
    try await performBlocking { [session] in try session.create(.path(path)) }
  }

  /// Writes what is open to another file in the document directory, and goes on with that one.
  ///
  /// - Throws: As the synchronous form.
  public func saveSource(_ fileName: String) async throws {
    try await performBlocking { [session] in try session.save(to: .documents(fileName)) }
  }

  /// Writes what is open to the file at a path, and goes on with that one.
  ///
  /// - Throws: As the synchronous form.
  public func saveSource(atPath path: String) async throws {
    try await performBlocking { [session] in try session.save(to: .path(path)) }
  }

  /// Writes what was changed to the file.
  ///
  /// - Throws: As the synchronous form.
  public func persist(overwritingChanges: Bool = false) async throws {
    try await performBlocking { [session] in
      try session.persist(overwritingChanges: overwritingChanges)
    }
  }

  /// Writes what was changed, and closes the source.
  ///
  /// - Throws: As the synchronous form.
  public func closeSource(discardingChanges: Bool = false) async throws {
    try await performBlocking { [session] in try session.close(discardingChanges: discardingChanges)
    }
  }
}
