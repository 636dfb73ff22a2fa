public import SQLiteCore

extension SourceSession {
  /// A kind of source: how its tables come into a database, and back.
  ///
  /// It is the boundary behind which a provider's source may be anything: a database, a file, and likewise what is on
  /// other machines, whose ``SourceSession/OpenedSource`` can hear of changed rows through the hooks or a session of its database,
  /// and whose ``SourceSession/OpenedSource/persist(_:overwritingChanges:)`` can find that they were changed there too.
  public protocol Store: Sendable {
    /// Opens a source.
    ///
    /// - Throws: ``ProviderError`` where it is not there and is not to be made, and of what is wrong in it. Then
    ///   nothing has changed.
    func open(_ request: Request) throws -> any OpenedSource

    /// Copies a source that nobody writes to where there is none; by default, its file.
    ///
    /// - Throws: ``ProviderError`` with ``ProviderError/Code/notFound`` where there is no such source. Where there is one
    ///   already at the path, that stays, and is no error.
    func copy(_ template: String, toPath path: String) throws

    /// Deletes the source at a path, which is not open. Of a link, that is the link alone.
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
  /// What is asked of a store.
  public struct Request: Hashable, Sendable {
    /// Where the source is; `nil` in memory.
    public var path: String?
    /// Whether it is only read.
    public var isReadOnly: Bool
    /// Whether it is made at once where it does not exist.
    public var isToExist: Bool
    /// Whether nobody changes it while it is open, as in a bundle.
    public var isImmutable: Bool

    public init(
      path: String?, isReadOnly: Bool = false, isToExist: Bool = false, isImmutable: Bool = false
    ) {
      self.path = path
      self.isReadOnly = isReadOnly
      self.isToExist = isToExist
      self.isImmutable = isImmutable
    }
  }
}

extension SourceSession {
  /// A source that is open. ``SourceSession`` calls one function of it at a time.
  public protocol OpenedSource: AnyObject, Sendable {
    /// The database that SQL runs in.
    var database: Database { get }

    /// Where it is written to; `nil` in memory.
    var path: String? { get }

    /// Whether what is committed is in the source at once, so that there is never anything to write; `false` by default.
    var writesAtOnce: Bool { get }

    /// Whether there is something to write.
    var hasUnsavedChanges: Bool { get }

    /// Writes what was changed since the last time.
    ///
    /// - Parameters:
    ///   - contents: A connection to ``database``, which nobody else writes to meanwhile.
    ///   - overwritingChanges: Whether a file that someone else has changed since is replaced.
    /// - Throws: ``ProviderError`` with ``ProviderError/Code/fileChanged`` where it was changed there too, unless that is
    ///   to be overwritten; what can't be written. Then it is there as it was.
    func persist(_ contents: Connection, overwritingChanges: Bool) throws

    /// Writes all of it to another path, and replaces what is there.
    ///
    /// - Parameters:
    ///   - contents: A connection to ``database``, which nobody else writes to meanwhile.
    ///   - path: Where it is written.
    /// - Returns: The source at that path: itself, or another one. Then this one is closed.
    func saved(_ contents: Connection, toPath path: String) throws -> any OpenedSource

    /// Closes it. What was changed since the last time is lost.
    ///
    /// It may be called from inside an access to ``database``, which comes to its end.
    func close()
  }
}

extension SourceSession.OpenedSource {
  public var writesAtOnce: Bool { false }
}

/// Where a source is.
enum CallSite: Hashable, Sendable {
  /// A file in the document directory, by its name, perhaps with folders before it.
  case documents(String)
  /// A file in the bundle, likewise.
  case bundle(String)
  /// A file anywhere.
  case path(String)
  /// In memory alone.
  case memory
}

extension SourceSession {
  /// The directories in which a provider looks for sources by their names.
  public struct Directories: Hashable, Sendable {
    /// Where an app's documents are. It is made when the first one is.
    public var documents: String
    /// Where what came with the app is.
    public var bundle: String

    public init(documents: String, bundle: String) {
      self.documents = documents
      self.bundle = bundle
    }

    /// The path of a location; `nil` in memory.
    ///
    /// - Throws: ``ProviderError`` with ``ProviderError/Code/invalidName`` for names that lead elsewhere.
    func path(of location: CallSite) throws(ProviderError) -> String? {
      switch location {
      case .documents(let name): try Self.join(documents, name)
      case .bundle(let name): try Self.join(bundle, name)
      case .path(let path): try Self.checked(path)
      case .memory: nil
      }
    }

    private static func checked(_ path: String) throws(ProviderError) -> String {
      guard !path.isEmpty, !path.utf8.contains(0) else {
        throw ProviderError(.invalidName, "a path is neither empty nor has zero bytes", file: path)
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
          .invalidName, "a name leads to no file of its directory: a path is opened as one",
          file: name)
      }
      return directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    }
  }
}
