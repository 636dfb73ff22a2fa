/// An SQLite release, such as the oldest one that a program's SQL must support.
///
/// ```swift
/// SQLiteVersion("3.44.2") == SQLiteVersion(3, 44)
/// ```
public struct SQLiteVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let major: Int
  public let minor: Int

  public init(_ major: Int, _ minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// Parses `3.44` or `3.44.2`; `nil` for anything else. The patch number is ignored, because patch
  /// releases add no features.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { UInt16($0) }
    guard numbers.count == parts.count, (2...3).contains(numbers.count) else { return nil }
    self.init(Int(numbers[0]), Int(numbers[1]))
  }

  /// The release whose dialect is used by default.
  public static let standard = SQLiteVersion(3, 40)

  public static func < (left: SQLiteVersion, right: SQLiteVersion) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }

  public var description: String { "\(major).\(minor)" }
}
