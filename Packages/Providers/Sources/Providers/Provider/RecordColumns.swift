internal import Primitives

/// The columns of a result, which all of its records share.
final class RecordColumns: Sendable {
  let names: [String]
  /// The place of each name, as SQL compares names; of several columns of a name the first one's.
  private let places: [FoldedName: Int]

  init(_ names: [String]) {
    self.names = names
    places = Dictionary(names.enumerated().map { (FoldedName($1), $0) }) { first, _ in first }
  }

  func place(of name: String) -> Int? { places[FoldedName(name)] }
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
