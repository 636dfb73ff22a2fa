#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PropertyKind {
  /// Returns a new UUID as text.
  static func makeUUID() -> String { UUID().uuidString }
}
