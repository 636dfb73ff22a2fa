public import Providers

extension ProviderConformance {
  /// A kind of provider that rules are run against.
  public struct Candidate: Sendable, CustomStringConvertible {
    /// The provider's name.
    public let name: String
    /// The extension of the provider's files, without the dot.
    public let fileExtension: String
    /// The provider's capabilities. Without ``Capabilities/files``, sources are opened in memory
    /// only.
    public var capabilities: Capabilities
    /// The folder in which rules create their folders; `nil` for the system's temporary folder.
    public var folder: String?
    /// Creates a provider without an open source that uses these directories.
    public let make: @Sendable (SourceSession.Directories) -> any DataProvider

    public var description: String { name }

    /// - Parameters:
    ///   - name: The provider's name in messages.
    ///   - fileExtension: The extension of the provider's files.
    ///   - capabilities: The provider's capabilities; rules that need more are skipped.
    ///   - folder: The folder in which rules create their folders; `nil` for the system's temporary
    ///     folder.
    ///   - make: Creates a provider without an open source that uses these directories.
    public init(
      _ name: String, fileExtension: String, supporting capabilities: Capabilities,
      folder: String? = nil,
      make: @escaping @Sendable (SourceSession.Directories) -> any DataProvider
    ) {
      self.name = name
      self.fileExtension = fileExtension
      self.capabilities = capabilities
      self.folder = folder
      self.make = make
    }
  }
}

extension ProviderConformance {
  /// Capabilities that a provider can lack. Rules that need a missing capability are skipped, and
  /// report it.
  public struct Capabilities: OptionSet, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Sources are files.
    public static let files = Capabilities(rawValue: 1 << 0)
    /// Changes are written to the file immediately, as with a database.
    public static let writesImmediately = Capabilities(rawValue: 1 << 1)
    /// Changes are written to the file when it is persisted, and not before.
    public static let persists = Capabilities(rawValue: 1 << 2)
    /// Files that the provider can't read are refused.
    public static let refusesOtherFiles = Capabilities(rawValue: 1 << 3)
    /// A source contains several named tables.
    public static let severalTables = Capabilities(rawValue: 1 << 4)
    /// Constraints, indexes, views, triggers and the version numbers of a database are preserved.
    public static let schema = Capabilities(rawValue: 1 << 5)
    /// The declared types of columns are preserved.
    public static let declaredTypes = Capabilities(rawValue: 1 << 6)
    /// A column can hold values of any storage class, regardless of its type.
    public static let anyValues = Capabilities(rawValue: 1 << 7)
    /// Blobs.
    public static let blobs = Capabilities(rawValue: 1 << 8)
    /// Integers beyond 2⁵³.
    public static let largeIntegers = Capabilities(rawValue: 1 << 9)
    /// Infinite numbers.
    public static let infinities = Capabilities(rawValue: 1 << 10)
    /// Strings with zero bytes.
    public static let zeroBytes = Capabilities(rawValue: 1 << 11)
    /// Strings with control characters other than tabs and line breaks.
    public static let controlCharacters = Capabilities(rawValue: 1 << 12)
    /// Any names of tables and columns are preserved.
    public static let anyNames = Capabilities(rawValue: 1 << 13)

    /// The capabilities of a database.
    public static let database: Capabilities = values.union([
      .files, .writesImmediately, .refusesOtherFiles,
    ])
    /// The capabilities of a file whose tables are in memory until it is persisted.
    public static let file: Capabilities = values.union([.files, .persists, .refusesOtherFiles])
    /// The capabilities of a source in memory.
    public static let memory: Capabilities = values

    private static let values: Capabilities = [
      .severalTables, .schema, .declaredTypes, .anyValues, .blobs, .largeIntegers, .infinities,
      .zeroBytes, .controlCharacters, .anyNames,
    ]

    public var description: String {
      let names = [
        "files", "writesImmediately", "persists", "refusesOtherFiles", "severalTables", "schema",
        "declaredTypes", "anyValues", "blobs", "largeIntegers", "infinities", "zeroBytes",
        "controlCharacters", "anyNames",
      ]
      return names.indices.filter { contains(Capabilities(rawValue: 1 << $0)) }
        .map { names[$0] }.joined(separator: ", ")
    }
  }
}
