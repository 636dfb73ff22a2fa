/// Where a source is.
enum SourcePlace: Hashable, Sendable {
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
    func path(of location: SourcePlace) throws(ProviderError) -> String? {
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
