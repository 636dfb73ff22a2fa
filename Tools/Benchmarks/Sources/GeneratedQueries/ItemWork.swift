/// What is done with the rows of a file, in one of two ways that are to cost the same.
///
/// Both ways are in this module, so that neither has the compiler's help before the other.
public struct ItemWork: Sendable {
  /// Reads all rows.
  public let fetchAll: @Sendable (_ path: String) throws -> UInt64
  /// Reads a row for each key.
  public let lookUp: @Sendable (_ path: String, _ keys: [Int]) throws -> UInt64
  /// Changes the row of each key, in one transaction.
  public let update: @Sendable (_ path: String, _ keys: [Int]) throws -> UInt64
}
