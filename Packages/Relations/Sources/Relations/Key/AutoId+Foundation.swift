#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension AutoId {
  /// Returns the milliseconds since 2020. Its 42 bits last for 139 years.
  static func millisecondsSince2020() -> Int64 {
    let milliseconds = (Date().timeIntervalSince1970 - 1_577_836_800) * 1_000
    return Int64(Swift.max(0, Swift.min(milliseconds, 4_398_046_511_103)))
  }
}
