internal import Synchronization

/// The columns of a result, which all of its records share.
final class RecordColumns: Sendable {
  let names: [String]
  /// The place of each name, as SQL compares names; of several columns of a name the first one's.
  private let places: [[UInt8]: Int]

  init(_ names: [String]) {
    self.names = names
    places = Dictionary(names.enumerated().map { (Self.key($1), $0) }) { first, _ in first }
  }

  func place(of name: String) -> Int? { places[Self.key(name)] }

  /// The name's bytes, with its letters of ASCII small.
  private static func key(_ name: String) -> [UInt8] {
    name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }
}

/// The columns of a result that is read in parts, made once.
final class KeptColumns: Sendable {
  private let columns = Mutex<RecordColumns?>(nil)

  func columns(of names: [String]) -> RecordColumns {
    columns.withLock { columns in
      if let columns, columns.names == names { return columns }
      let made = RecordColumns(names)
      columns = made
      return made
    }
  }
}
