#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What keys of Foundation's types are bound as; `nil` for anything else.
func foundationValue(of value: any SQLiteBindable) -> SQLiteValue? {
  switch value {
  case let value as UUID: .text(value.uuidString)
  case let value as URL: .text(value.absoluteString)
  default: nil
  }
}

/// The same for values with a format.
func foundationValue(of value: Any, in format: Any.Type) -> SQLiteValue? {
  guard format == UUIDBlobFormat.self, let value = value as? UUID else { return nil }
  let bytes = value.uuid
  return .blob([
    bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7, bytes.8, bytes.9,
    bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15,
  ])
}
