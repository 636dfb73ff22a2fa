/// Waiters of one priority, in the order in which they came.
struct WaitingLine<Waiter> {
  private struct Entry {
    var arrival: Arrival
    /// `nil` for one that has left.
    var waiter: Waiter?
  }

  private var entries: [Entry] = []
  /// Where the first waiter stands: those before it are gone.
  private var head = 0
  private(set) var count = 0

  /// When the first waiter came; `nil` where nobody waits.
  var first: Arrival? { count == 0 ? nil : entries[head].arrival }

  /// Adds a waiter where it belongs: at the end, unless it comes from another line.
  mutating func insert(_ waiter: Waiter, _ arrival: Arrival) {
    let index =
      entries.last.map { $0.arrival < arrival } ?? true ? entries.count : place(of: arrival)
    entries.insert(Entry(arrival: arrival, waiter: waiter), at: index)
    head = min(head, index)
    count += 1
  }

  mutating func popFirst() -> Waiter? {
    guard count > 0 else { return nil }
    defer { leave(head) }
    return entries[head].waiter
  }

  /// Takes a waiter out of the line.
  ///
  /// - Complexity: O(log *n*), but now and then O(*n*).
  mutating func remove(_ arrival: Arrival) -> Waiter? {
    let index = place(of: arrival)
    guard index < entries.count, entries[index].arrival == arrival,
      let waiter = entries[index].waiter
    else { return nil }
    leave(index)
    return waiter
  }

  var all: [(arrival: Arrival, waiter: Waiter)] {
    entries.compactMap { entry in entry.waiter.map { (entry.arrival, $0) } }
  }

  private mutating func leave(_ index: Int) {
    entries[index].waiter = nil
    count -= 1
    while head < entries.count, entries[head].waiter == nil { head += 1 }
    if entries.count > 64, count * 2 < entries.count {
      entries.removeAll { $0.waiter == nil }
      head = 0
    }
  }

  /// Where `arrival` stands, or would: arrivals ascend.
  private func place(of arrival: Arrival) -> Int {
    var (low, high) = (head, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].arrival < arrival { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// When a waiter came: the lower, the earlier.
struct Arrival: RawRepresentable, Hashable, Comparable, Sendable {
  var rawValue: UInt64

  static func < (a: Arrival, b: Arrival) -> Bool { a.rawValue < b.rawValue }
}
