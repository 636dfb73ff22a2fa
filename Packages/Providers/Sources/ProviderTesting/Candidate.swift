public import Providers

extension ProviderConformance {
  /// A kind of provider that rules are run against.
  public struct Candidate: Sendable, CustomStringConvertible {
    /// What it is called.
    public let name: String
    /// What the names of its files end with, without the dot.
    public let fileExtension: String
    /// What it can. Without ``Capabilities/files``, sources are opened in memory alone.
    public var capabilities: Capabilities
    /// Where rules make their folders; `nil` for the system's folder of temporary files.
    public var folder: String?
    /// Makes a provider with nothing open, which looks for sources in these directories.
    public let make: @Sendable (SourceSession.Directories) -> any DataProvider

    public var description: String { name }

    /// - Parameters:
    ///   - name: What the provider is called in messages.
    ///   - fileExtension: What its files' names end with.
    ///   - capabilities: What it can do; rules that need more are skipped.
    ///   - folder: Where the rules make their folders; `nil` for the system's temporary folder.
    ///   - make: Makes a provider with nothing open, which looks for sources in these directories.
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
  /// What a provider may lack. A rule that needs what it lacks is skipped, and said to be.
  public struct Capabilities: OptionSet, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Sources are files.
    public static let files = Capabilities(rawValue: 1 << 0)
    /// What is changed is in the file at once, as with a database.
    public static let writesAtOnce = Capabilities(rawValue: 1 << 1)
    /// What is changed is in the file when it is persisted, and not before.
    public static let persists = Capabilities(rawValue: 1 << 2)
    /// A file that is none of the provider's is refused.
    public static let refusesOtherFiles = Capabilities(rawValue: 1 << 3)
    /// A source holds several tables, by their names.
    public static let severalTables = Capabilities(rawValue: 1 << 4)
    /// Constraints, indexes, views, triggers and the numbers that a database keeps are there after reopening.
    public static let schema = Capabilities(rawValue: 1 << 5)
    /// The declared types of columns are there after reopening.
    public static let declaredTypes = Capabilities(rawValue: 1 << 6)
    /// A column holds values of any class, whatever its type.
    public static let anyValues = Capabilities(rawValue: 1 << 7)
    /// Values that are bytes.
    public static let blobs = Capabilities(rawValue: 1 << 8)
    /// Integers beyond 2⁵³.
    public static let largeIntegers = Capabilities(rawValue: 1 << 9)
    /// Numbers that are infinite.
    public static let infinities = Capabilities(rawValue: 1 << 10)
    /// Texts with zero bytes.
    public static let zeroBytes = Capabilities(rawValue: 1 << 11)
    /// Texts with other control characters than tabs and line breaks.
    public static let controlCharacters = Capabilities(rawValue: 1 << 12)
    /// Names of tables and columns are there after reopening, whatever is in them.
    public static let anyNames = Capabilities(rawValue: 1 << 13)

    /// All that a database has.
    public static let database: Capabilities = values.union([
      .files, .writesAtOnce, .refusesOtherFiles,
    ])
    /// All that a file has whose tables are held in memory until it is persisted.
    public static let file: Capabilities = values.union([.files, .persists, .refusesOtherFiles])
    /// All that a source has that is only in memory.
    public static let memory: Capabilities = values

    private static let values: Capabilities = [
      .severalTables, .schema, .declaredTypes, .anyValues, .blobs, .largeIntegers, .infinities,
      .zeroBytes, .controlCharacters, .anyNames,
    ]

    public var description: String {
      let names = [
        "files", "writesAtOnce", "persists", "refusesOtherFiles", "severalTables", "schema",
        "declaredTypes", "anyValues", "blobs", "largeIntegers", "infinities", "zeroBytes",
        "controlCharacters", "anyNames",
      ]
      return names.indices.filter { contains(Capabilities(rawValue: 1 << $0)) }
        .map { names[$0] }.joined(separator: ", ")
    }
  }
}
