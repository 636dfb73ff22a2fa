extension DatabaseRoute {
  /// An override that was not called.
  public struct UnusedOverride: Hashable, Sendable, CustomStringConvertible {
    /// A description of the calls that the override matches.
    public let name: String
    /// The source location where the override was added.
    public let file: String
    public let line: Int

    public var description: String { "\(name) (\(file):\(line))" }
  }
}

extension OverrideTable {
  var unused: [DatabaseRoute.UnusedOverride] {
    entries.filter { !$0.isUsed }.map {
      DatabaseRoute.UnusedOverride(
        name: $0.override.name, file: $0.source.file, line: $0.source.line)
    }
  }
}
