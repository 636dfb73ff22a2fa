#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Connection {
  /// The time of the current transaction: see ``transactionTime``.
  ///
  /// ```swift
  /// try connection.transaction {
  ///   let now = connection.transactionDate
  ///   try connection.run("UPDATE book SET changed_at = ?", now.timeIntervalSince1970)
  /// }
  /// ```
  public var transactionDate: Date { Date(timeIntervalSince1970: transactionTime) }
}
