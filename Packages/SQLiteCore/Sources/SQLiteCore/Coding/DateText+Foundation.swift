#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Dates as texts of ISO 8601, for the strategies of that name.
enum DateText {
  private static let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
  private static let whole = Date.ISO8601FormatStyle()

  static func text(_ date: Date) -> String { date.formatted(fractional) }

  static func date(_ text: String) -> Date? {
    (try? fractional.parse(text)) ?? (try? whole.parse(text))
  }
}
