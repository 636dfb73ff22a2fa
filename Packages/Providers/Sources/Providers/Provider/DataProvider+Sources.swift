internal import SQLiteCore

extension DataProvider {
  /// Opens a source in the document directory or in the bundle.
  ///
  /// If the document directory has no such file, the source is empty. A source in the bundle that
  /// is not opened as read-only is copied to the document directory, unless a copy exists there,
  /// and the copy is opened. The currently open source is closed first, as by `closeSource()`.
  ///
  /// ```swift
  /// try provider.openSource("Test.db")
  /// try provider.openSource("Template.db", fromBundle: true)
  /// try provider.openSource("Cities.json", fromBundle: true, readOnly: true)
  /// ```
  ///
  /// On Apple platforms, the document directory is the app's. On Linux, it is a folder with the
  /// program's name in `$XDG_DATA_HOME`, which defaults to `~/.local/share`; the bundle is the
  /// program's folder.
  ///
  /// - Parameters:
  ///   - fileName: A file name, optionally with folders. For a path, use
  ///     `openSource(atPath:readOnly:)`.
  ///   - fromBundle: Whether the source is in the app's bundle, not in the document directory.
  ///   - readOnly: Whether to refuse changes.
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/invalidName`` for a path outside the
  ///   directory, with ``ProviderError/Code/notFound`` if the file does not exist and is not
  ///   created, or with the position of an error in the file. Then no source is open, and no file
  ///   was changed. If the name is invalid, or the open source can't be closed, that source stays
  ///   open. `SQLiteError` with code `nestedAccess` inside an access.
  public func openSource(
    _ fileName: String, fromBundle: Bool = false, readOnly: Bool = false
  ) throws {
    try session.open(
      fromBundle ? .bundle(fileName) : .documents(fileName), isReadOnly: readOnly)
  }

  /// Opens the source at any path. If no file exists, the source is empty, unless it is opened as
  /// read-only.
  ///
  /// - Throws: The same errors as `openSource(_:fromBundle:readOnly:)`.
  public func openSource(atPath path: String, readOnly: Bool = false) throws {
    try session.open(.path(path), isReadOnly: readOnly)
  }

  /// Opens the source in the document directory, and creates the file immediately if it does not
  /// exist.
  ///
  /// - Throws: The same errors as `openSource(_:fromBundle:readOnly:)`.
  public func createSource(_ fileName: String) throws { try session.create(.documents(fileName)) }

  /// Opens the source at a path, and creates the file immediately if it does not exist.
  ///
  /// - Throws: The same errors as `openSource(_:fromBundle:readOnly:)`.
  public func createSource(atPath path: String) throws { try session.create(.path(path)) }

  /// Opens an empty source in memory. It is lost when it is closed, unless `saveSource(_:)` saved
  /// it.
  ///
  /// - Throws: The errors of closing the currently open source.
  public func createSourceInMemory() throws { try session.create(.memory) }

  /// Writes the open source to another file in the document directory, and continues with that
  /// file. The original file keeps its last written content.
  ///
  /// An existing file is replaced, regardless of its content. Concurrent writers wait, and write to
  /// the new file.
  ///
  /// - Throws: The same ``ProviderError``s as `persist(overwritingChanges:)`; the original source
  ///   then stays open.
  public func saveSource(_ fileName: String) throws { try session.save(to: .documents(fileName)) }

  /// Writes the open source to the file at a path, and continues with that file.
  ///
  /// - Throws: The same errors as `saveSource(_:)`.
  public func saveSource(atPath path: String) throws { try session.save(to: .path(path)) }

  /// Deletes a source in the document directory. If it is open, it is closed first, without being
  /// written; a source that was never written is lost. If the path is a symbolic link, only the
  /// link is deleted.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/notFound`` if the file does not exist,
  ///   or for a file system error; `SQLiteError` with code `nestedAccess` inside an access.
  public func deleteSource(_ fileName: String) throws {
    try session.delete(.documents(fileName))
  }

  /// Deletes the source at a path. If it is open, it is closed first, without being written.
  ///
  /// - Throws: The same errors as ``deleteSource(_:)``.
  public func deleteSource(atPath path: String) throws { try session.delete(.path(path)) }

  /// Writes changes to the file: a crash at any moment leaves either the old or the new file. For a
  /// database, this does nothing.
  ///
  /// - Parameter overwritingChanges: Whether to overwrite a file that was changed since it was
  ///   read.
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/fileChanged`` if the file was changed,
  ///   with ``ProviderError/Code/unrepresentable`` if the format can't represent the tables, with
  ///   ``ProviderError/Code/transactionOpen`` while a transaction is open, or for a file system
  ///   error. The file is then unchanged. `SQLiteError` with code `nestedAccess` inside an access,
  ///   because waiting for that access would deadlock.
  public func persist(overwritingChanges: Bool = false) throws {
    try session.persist(overwritingChanges: overwritingChanges)
  }

  /// Writes changes, as `persist(overwritingChanges:)` does, and closes the source. Does nothing if
  /// no source is open.
  ///
  /// Everything that was committed before is written. Waiting readers and writers throw
  /// ``ProviderError/Code/notOpen``.
  ///
  /// - Parameter discardingChanges: Whether to discard changes, and roll back an open transaction.
  /// - Throws: The same errors as `persist(overwritingChanges:)`; the source then stays open.
  public func closeSource(discardingChanges: Bool = false) throws {
    try session.close(discardingChanges: discardingChanges)
  }
}

/// Asynchronous variants, which do not block a thread of the caller. They ignore task cancellation:
/// an operation that has begun is completed.
extension DataProvider {
  /// Opens a source in the document directory or in the bundle.
  ///
  /// - Throws: The same errors as the synchronous form.
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
  /// - Throws: The same errors as the synchronous form.
  public func openSource(atPath path: String, readOnly: Bool = false) async throws {
    try await performBlocking { [session] in try session.open(.path(path), isReadOnly: readOnly) }
  }

  /// Opens the source in the document directory, and creates the file if it does not exist.
  ///
  /// - Throws: The same errors as the synchronous form.
  public func createSource(_ fileName: String) async throws {
    try await performBlocking { [session] in try session.create(.documents(fileName)) }
  }

  /// Opens the source at a path, and creates the file if it does not exist.
  ///
  /// - Throws: The same errors as the synchronous form.
  public func createSource(atPath path: String) async throws {
    try await performBlocking { [session] in try session.create(.path(path)) }
  }

  /// Writes the open source to another file in the document directory, and continues with that
  /// file.
  ///
  /// - Throws: The same errors as the synchronous form.
  public func saveSource(_ fileName: String) async throws {
    try await performBlocking { [session] in try session.save(to: .documents(fileName)) }
  }

  /// Writes the open source to the file at a path, and continues with that file.
  ///
  /// - Throws: The same errors as the synchronous form.
  public func saveSource(atPath path: String) async throws {
    try await performBlocking { [session] in try session.save(to: .path(path)) }
  }

  /// Writes changes to the file.
  ///
  /// - Throws: The same errors as the synchronous form.
  public func persist(overwritingChanges: Bool = false) async throws {
    try await performBlocking { [session] in
      try session.persist(overwritingChanges: overwritingChanges)
    }
  }

  /// Writes changes, and closes the source.
  ///
  /// - Throws: The same errors as the synchronous form.
  public func closeSource(discardingChanges: Bool = false) async throws {
    try await performBlocking { [session] in try session.close(discardingChanges: discardingChanges)
    }
  }
}
