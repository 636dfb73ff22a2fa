#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import SQLiteCore

// Each is bound as SQLiteCore binds it everywhere else: in filters, in what is written, in plain SQL.
extension Data: RouteValue {
  public var routeValue: SQLiteValue { .blob([UInt8](self)) }
}
extension Date: RouteValue {}
extension Decimal: RouteValue {}
extension URL: RouteValue {}
extension UUID: RouteValue {}
