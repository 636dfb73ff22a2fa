#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import SQLiteCore

extension Data: RouteValue {}
extension Date: RouteValue {}
extension Decimal: RouteValue {}
extension URL: RouteValue {}
extension UUID: RouteValue {}
