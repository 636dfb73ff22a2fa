/// Work on a file's rows, in two implementations that should cost the same.
///
/// Both are in this module, so that the compiler can optimize both in the same way.
public struct ItemWork: Sendable {
  /// Reads all rows.
  public let fetchAll: @Sendable (_ path: String) throws -> UInt64
  /// Reads a row for each key.
  public let lookUp: @Sendable (_ path: String, _ keys: [Int]) throws -> UInt64
  /// Updates a row for each key in one transaction.
  public let update: @Sendable (_ path: String, _ keys: [Int]) throws -> UInt64
}
