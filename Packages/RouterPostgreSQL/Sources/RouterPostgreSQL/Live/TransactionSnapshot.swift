/// The transactions that a snapshot of the server shows.
///
/// https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-SNAPSHOT
struct TransactionSnapshot: Hashable, Sendable {
  /// All earlier transactions have ended.
  let minimum: UInt64
  /// No transaction from this one on has ended.
  let maximum: UInt64
  /// The transactions between both that have not ended.
  let running: Set<UInt64>

  /// Creates a snapshot from the text of `pg_current_snapshot()`: `10:20:10,14,15`.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let minimum = UInt64(parts[0]), let maximum = UInt64(parts[1]) else {
      return nil
    }
    let running = parts[2].split(separator: ",").map { UInt64($0) }
    guard !running.contains(nil) else { return nil }
    self.minimum = minimum
    self.maximum = maximum
    self.running = Set(running.compactMap { $0 })
  }

  /// Returns whether the snapshot shows a committed transaction.
  ///
  /// - Parameter transaction: The lower half of the transaction's number.
  func shows(_ transaction: UInt32) -> Bool {
    // The numbers in use span less than half of the 32-bit range.
    let distance = Int32(
      truncatingIfNeeded: Int64(transaction) - Int64(UInt32(truncatingIfNeeded: maximum)))
    if distance >= 0 { return false }
    let number = maximum &+ UInt64(bitPattern: Int64(distance))
    return number < minimum || !running.contains(number)
  }
}
