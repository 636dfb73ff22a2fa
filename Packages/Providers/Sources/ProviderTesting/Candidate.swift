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
