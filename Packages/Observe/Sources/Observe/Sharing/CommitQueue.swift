/// The commits of several databases of this process to one file, told in the order in which they were made.
///
/// A database takes its place before it commits, when no other can. Its commit is told when all before it are:
/// by its own thread, or by the one that is late.
struct CommitQueue<Commit> {
  private struct Place {
    let ticket: UInt64
    /// `nil` until it is known what has become of it.
    var commit: Commit?
  }

  private var last: UInt64 = 0
  private var places: [Place] = []

  /// Whether a commit is made that has not been told.
  var isEmpty: Bool { places.isEmpty }

  /// Whether the next one can be told.
  var hasNext: Bool { places.first?.commit != nil }

  mutating func take() -> UInt64 {
    last += 1
    places.append(Place(ticket: last))
    return last
  }

  /// A commit is made.
  mutating func finish(_ ticket: UInt64, _ commit: Commit) {
    guard let index = places.firstIndex(where: { $0.ticket == ticket }) else { return }
    places[index].commit = commit
  }

  /// A commit was not made.
  mutating func leave(_ ticket: UInt64) { places.removeAll { $0.ticket == ticket } }

  /// The next commit that can be told; it counts as told.
  mutating func next() -> Commit? {
    guard let commit = places.first?.commit else { return nil }
    places.removeFirst()
    return commit
  }
}
