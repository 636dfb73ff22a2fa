/// Where entries stand. A type may ask for that at each element, and have errors that it does not throw on:
/// so what was found out for one entry is kept for the next.
extension DecodingSession {
  /// How many bytes there are from one mark to the next.
  private static let stride = 4_096

  /// Where an entry stands in the text.
  func position(of index: Int) -> SPONPosition {
    let offset = Int(entries[index].start)
    let bytes = tape.bytes
    let text = bytes.span
    var position = marks[Swift.min(offset / Self.stride, marks.count - 1)]
    while marks.count <= offset / Self.stride {
      let start = position.byteOffset
      position.advance(over: text.extracting(start..<start + Self.stride), count: Self.stride)
      marks.append(position)
    }
    let start = position.byteOffset
    position.advance(over: text.extracting(start..<offset), count: offset - start)
    return position
  }

  /// The keys and indexes that lead to an entry.
  func path(to index: Int) -> [SPONKey] {
    var path: [SPONKey] = []
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
