public import SQLiteCore

extension SourceSession {
  /// A kind of source: the way its tables are loaded into a database, and written back.
  ///
  /// The protocol makes any kind of source possible: a database, a file, or data on a server. The
  /// ``SourceSession/OpenedSource`` of a server can be notified of changed rows by the hooks or a
  /// session of its database, and its ``SourceSession/OpenedSource/persist(_:overwritingChanges:)``
  /// can detect changes on the server.
  public protocol Store: Sendable {
    /// Opens a source.
    ///
    /// - Throws: ``ProviderError`` if the source does not exist and must not be created, or if its
    ///   content is invalid. The source is then unchanged.
    func open(_ request: Request) throws -> any OpenedSource

    /// Copies a source without concurrent writers to a path, unless a source exists there. By
    /// default, copies the file.
    ///
    /// - Throws: ``ProviderError`` with ``ProviderError/Code/notFound`` if the source does not
    ///   exist. An existing source at the path is kept, and is not an error.
    func copy(_ template: String, toPath path: String) throws

    /// Deletes the source at a path, which is not open. If the path is a symbolic link, only the
    /// link is deleted.
    ///
    /// - Throws: ``ProviderError`` with ``ProviderError/Code/notFound``.
    func delete(atPath path: String) throws
  }
}

extension SourceSession.Store {
  public func copy(_ template: String, toPath path: String) throws {
    try SourceFiles.copyTemplate(template, to: path)
  }
}

extension SourceSession {
  /// A request to open a source.
  public struct Request: Hashable, Sendable {
    /// The path of the source; `nil` for a source in memory.
    public var path: String?
    /// A Boolean value that indicates whether the source is only read.
    public var isReadOnly: Bool
    /// A Boolean value that indicates whether to create the source immediately if it does not
    /// exist.
    public var mustCreate: Bool
    /// A Boolean value that indicates whether the source does not change while it is open, as in a
    /// bundle.
    public var isImmutable: Bool

    public init(
      path: String?, isReadOnly: Bool = false, mustCreate: Bool = false, isImmutable: Bool = false
    ) {
      self.path = path
      self.isReadOnly = isReadOnly
      self.mustCreate = mustCreate
      self.isImmutable = isImmutable
    }
  }
}

extension SourceSession {
  /// An open source. ``SourceSession`` calls one of its methods at a time.
  public protocol OpenedSource: AnyObject, Sendable {
    /// The database that executes SQL.
    var database: Database { get }

    /// The path that the source is written to; `nil` for a source in memory.
    var path: String? { get }

    /// A Boolean value that indicates whether commits are written to the source immediately, so
    /// that there are never unsaved changes; `false` by default.
    var writesImmediately: Bool { get }

    /// A Boolean value that indicates whether there are unsaved changes.
    var hasUnsavedChanges: Bool { get }

    /// Writes the changes since the last call.
    ///
    /// - Parameters:
    ///   - contents: A connection to ``database``, with no concurrent writers.
    ///   - overwritingChanges: Whether to replace a file that was changed since it was read.
    /// - Throws: ``ProviderError`` with ``ProviderError/Code/fileChanged`` if the source was
    ///   changed by others, unless `overwritingChanges` is set; any error of writing. The source is
    ///   then unchanged.
    func persist(_ contents: Connection, overwritingChanges: Bool) throws

    /// Writes the whole source to another path, replacing an existing file.
    ///
    /// - Parameters:
    ///   - contents: A connection to ``database``, with no concurrent writers.
    ///   - path: The destination.
    /// - Returns: The source at the path: this object, or another one. In the latter case, this
    ///   source is closed.
    func saved(_ contents: Connection, toPath path: String) throws -> any OpenedSource

    /// Closes the source. Unsaved changes are lost.
    ///
    /// The method can be called inside an access to ``database``, which is completed.
    func close()
  }
}

extension SourceSession.OpenedSource {
  public var writesImmediately: Bool { false }
}

extension SourceSession {
  /// The location of a source.
  enum Location: Hashable, Sendable {
    /// A file in the document directory, by name, optionally with folders.
    case documents(String)
    /// A file in the bundle, by name, optionally with folders.
    case bundle(String)
    /// A file at any path.
    case path(String)
    /// A source in memory.
    case memory
  }

  /// The directories that contain the sources opened by name.
  public struct Directories: Hashable, Sendable {
    /// The directory of the app's documents. It is created with the first document.
    public var documents: String
    /// The directory of the app's resources.
    public var bundle: String

    public init(documents: String, bundle: String) {
      self.documents = documents
      self.bundle = bundle
    }

    /// Returns the path of a location; `nil` for a source in memory.
    ///
    /// - Throws: ``ProviderError`` with ``ProviderError/Code/invalidName`` for names that lead
    ///   outside the directory.
    func path(of location: Location) throws(ProviderError) -> String? {
      switch location {
      case .documents(let name): try Self.join(documents, name)
      case .bundle(let name): try Self.join(bundle, name)
      case .path(let path): try Self.checked(path)
      case .memory: nil
      }
    }

    private static func checked(_ path: String) throws(ProviderError) -> String {
      guard !path.isEmpty, !path.utf8.contains(0) else {
        throw ProviderError(
          .invalidName, "a path must not be empty or contain zero bytes", file: path)
      }
      return path
    }

    private static func join(
      _ directory: String, _ name: String
    ) throws(ProviderError) -> String {
      let name = try checked(name)
      let parts = name.split(separator: "/", omittingEmptySubsequences: false)
      guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
        throw ProviderError(
          .invalidName,
          "the name is not a file in the directory: use openSource(atPath:) for a path",
          file: name)
      }
      return directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    }
  }
}
