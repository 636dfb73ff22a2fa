#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import SQLiteCore

extension UUID: TableKey {
  public var keyValues: [SQLiteValue] { [.text(uuidString)] }
  public static func make() -> UUID? { UUID() }
  public static var columnTypes: [String] { ["TEXT"] }
}
