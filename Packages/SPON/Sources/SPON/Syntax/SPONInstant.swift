internal import Primitives

/// An instant of the years 0000 to 9999 in UTC, exact to 10⁻¹⁸ seconds. Leap seconds are not counted.
public struct SPONInstant: Hashable, Sendable {
  /// Whole seconds since the beginning of 1970, rounded down.
  public let secondsSince1970: Int64
  /// What is beyond the whole seconds: 0 up to a second, in units of 10⁻¹⁸ seconds.
  public let attoseconds: Int64

  /// - Returns: `nil` where the instant is in no year from 0000 to 9999, or `attoseconds` are negative
  ///   or a second or more.
  public init?(secondsSince1970: Int64, attoseconds: Int64 = 0) {
    guard CivilDate.seconds.contains(secondsSince1970),
      (0..<1_000_000_000_000_000_000).contains(attoseconds)
    else { return nil }
    self.secondsSince1970 = secondsSince1970
    self.attoseconds = attoseconds
  }

  /// Reads a date and time as RFC 3339 writes it, `2023-11-14T22:13:20.5+01:00`, or as the original SPON
  /// did, `2023-11-14 22:13:20 +0000`.
  ///
  /// - Returns: `nil` where it is neither.
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
  /// As RFC 3339 writes it, in UTC, with as many digits as are needed: `2023-11-14T22:13:20.5Z`.
  public var description: String {
    var text: [UInt8] = []
    InstantText.append(self, to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}
