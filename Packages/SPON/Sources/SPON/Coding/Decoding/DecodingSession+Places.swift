/// Where entries stand. A type may ask for that at each element, and have errors that it does not throw on:
/// so what was counted for one element is kept for the next.
extension DecodingSession {
  /// The keys and indexes that lead to an entry.
  func path(to index: Int) -> [SPONPath.Key] {
    var path: [SPONPath.Key] = []
    var index = index
    while index >= 0, entries[index].parent >= 0 {
      let entry = entries[index]
      let container = Int(entry.parent)
      if entry.key >= 0 {
        path.append(.key(tape.keys[Int(entry.key)]))
      } else {
        path.append(.index(place(of: index, in: container)))
      }
      index = container
    }
    return path.reversed()
  }

  /// The index of an element in its array.
  private func place(of element: Int, in array: Int) -> Int {
    var (at, place) = elements[array] ?? (array + 1, 0)
    if at > element { (at, place) = (array + 1, 0) }
    while at < element {
      at = tape.end(of: at)
      place += 1
    }
    elements[array] = (at, place)
    return place
  }
}
