internal import Primitives

/// An instant in UTC in the years 0000 to 9999, exact to 10⁻¹⁸ seconds, without leap seconds.
public struct SPONInstant: Hashable, Sendable {
  /// The whole seconds since 1970-01-01, rounded down.
  public let secondsSince1970: Int64
  /// The remaining fraction of a second, which is at least 0, in units of 10⁻¹⁸ seconds.
  public let attoseconds: Int64

  /// - Returns: `nil` if the instant is not in the years 0000 to 9999, or if `attoseconds` is
  ///   negative or at least a second.
  public init?(secondsSince1970: Int64, attoseconds: Int64 = 0) {
    guard CivilDate.seconds.contains(secondsSince1970),
      (0..<1_000_000_000_000_000_000).contains(attoseconds)
    else { return nil }
    self.secondsSince1970 = secondsSince1970
    self.attoseconds = attoseconds
  }

  /// Parses a date and time according to RFC 3339, `2023-11-14T22:13:20.5+01:00`, or in the format
  /// of the original implementation, `2023-11-14 22:13:20 +0000`.
  ///
  /// - Returns: `nil` if the text has neither format.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    let range = 0..<bytes.count
    guard
      let instant = InstantText.parse(bytes.elementSpan, range)
        ?? InstantText.parseLegacy(bytes.elementSpan, range)
    else { return nil }
    self = instant
  }
}

extension SPONInstant: Comparable {
  public static func < (left: SPONInstant, right: SPONInstant) -> Bool {
    (left.secondsSince1970, left.attoseconds) < (right.secondsSince1970, right.attoseconds)
  }
}

extension SPONInstant: CustomStringConvertible {
  /// The instant according to RFC 3339, in UTC, with the minimum number of digits:
  /// `2023-11-14T22:13:20.5Z`.
  public var description: String {
    var text: [UInt8] = []
    InstantText.append(self, to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}
