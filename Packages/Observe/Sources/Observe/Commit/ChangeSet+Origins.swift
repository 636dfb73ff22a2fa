extension ChangeSet {
  /// Who told of changes: several where those of several commits were merged.
  public struct Origins: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A transaction of this database was committed.
    public static let commits = Origins(rawValue: 1)
    /// `Database.notifyChanges(in:)` was called.
    public static let notifications = Origins(rawValue: 2)
  }
}
