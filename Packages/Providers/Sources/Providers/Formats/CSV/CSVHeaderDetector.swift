/// Decides whether the first record of a sample contains the column names.
///
/// Each column is evidence for a header, against it, or neither:
///
/// - If all values of a column have a type, and its name is text or has another type, it is
///   evidence for a header; if the name has the same type, it is evidence against one. Words for a
///   missing value, such as `NA`, are neither.
/// - A year above numbers that are not years is a name, as in `country,2019,2020`; so is a number
///   of a sequence such as `1,2,3`.
/// - An empty name, as after a trailing comma, is neither.
///
/// A header has at least as much evidence for it as against it. If all columns contain text, the
/// first record is a header unless it looks like the others: a value occurs again in its column,
/// and other values there are spelled like it. A word that often names a column decides then.
struct CSVHeaderDetector {
  /// A field of the sample.
  struct Cell {
    let text: [UInt8]
    let kind: TableCollector.TextKind
    let isNull: Bool
    let isQuoted: Bool

    var string: String { String(decoding: text, as: UTF8.self) }

    /// A Boolean value that indicates whether the field is empty or contains only spaces.
    var isBlank: Bool { text.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
  }

  private let first: [Cell]
  private let rest: ArraySlice<[Cell]>
  private let columns: [Column]

  init(_ records: [[Cell]]) {
    first = records.first ?? []
    rest = records.dropFirst()
    columns = first.indices.map { [rest] index in
      Column(rest.compactMap { index < $0.count && !$0[index].isNull ? $0[index] : nil })
    }
  }

  var hasHeader: Bool {
    if isQuotedUnlikeOthers { return true }
    guard first.contains(where: { !$0.isBlank }) else { return false }
    var (names, values, years) = (0, 0, 0)
    let isSequence = isSequence
    for (cell, column) in zip(first, columns) where !cell.isBlank {
      switch (Family(cell.kind), column.family) {
      case (.number, .number?), (.number, .text?), (.number, nil):
        if isSequence || cell.isYear && !column.hasYears { years += 1 } else { values += 1 }
      case (.text, nil), (.text, .text?): break
      case (.text, _?): if !cell.isMissingValue { names += 1 }
      case (let own, let family?):
        if own == family || family == .text { values += 1 } else { names += 1 }
      case (_, nil): values += 1
      }
    }
    if names > 0 { return names + years >= values }
    guard values == 0 else { return false }
    return years == 0 ? isTextHeader : years > 2 || first.contains { Family($0.kind) == .text }
  }

  // MARK: Quotes

  /// A Boolean value that indicates whether the first record is quoted unnecessarily, unlike the
  /// others.
  private var isQuotedUnlikeOthers: Bool {
    guard !first.isEmpty else { return false }
    var names: Set<[UInt8]> = []
    let isQuoted = first.allSatisfy { cell in
      cell.isQuoted && !cell.text.isEmpty && !cell.text.contains { Self.isSpecial($0) }
        && names.insert(cell.text).inserted
    }
    guard isQuoted else { return false }
    let values = rest.joined().filter { !$0.isNull }
    return values.isEmpty || values.contains { !$0.isQuoted }
  }

  /// Returns whether a byte can be the reason for quoting a string.
  private static func isSpecial(_ byte: UInt8) -> Bool {
    [0x0A, 0x0D, 0x20, 0x09, 0x22, 0x27, 0x5C, 0x23].contains(byte)
      || CSVProvider.Dialect.delimiters.contains(byte)
  }

  // MARK: Numbers as names

  /// A Boolean value that indicates whether the numbers of the first record are at least three
  /// consecutive integers, and those of the second are not.
  private var isSequence: Bool {
    Self.isSequence(first) && !(rest.first.map(Self.isSequence) ?? true)
  }

  private static func isSequence(_ record: [Cell]) -> Bool {
    let numbers = record.compactMap { cell -> Int64? in
      if case .integer(let value) = cell.kind { value } else { nil }
    }
    return numbers.count > 2
      && zip(numbers, numbers.dropFirst()).allSatisfy { $1 &- $0 == 1 }
  }

  // MARK: Texts

  /// A Boolean value that indicates whether the first record is a header if all columns contain
  /// text.
  private var isTextHeader: Bool {
    let names = first.filter { !$0.isBlank }
    let areNames = names.allSatisfy { cell in
      cell.text.count <= 200 && !cell.text.contains(0x0A) && !cell.text.contains(0x0D)
    }
    guard areNames, 2 * names.count >= first.count,
      names.contains(where: { $0.string.contains { $0.isLetter || $0 == "_" } })
    else { return false }
    if names.contains(where: { Self.commonNames.contains($0.string.lowercased()) }) { return true }
    return !zip(first, columns).contains { cell, column in
      !cell.isBlank && column.hasValue(like: cell)
    }
  }

  private static let commonNames: Set<String> = [
    "address", "age", "amount", "author", "category", "city", "code", "color", "colour", "comment",
    "comments", "company", "count", "country", "created_at", "currency", "customer", "date", "day",
    "department", "description", "email", "first name", "first_name", "firstname", "gender",
    "group",
    "id", "item", "key", "label", "language", "last name", "last_name", "lastname", "latitude",
    "level", "location", "longitude", "month", "name", "note", "notes", "number", "order", "phone",
    "price", "product", "quantity", "region", "role", "sex", "size", "source", "state", "status",
    "street", "tag", "tags", "target", "team", "text", "time", "timestamp", "title", "total",
    "town",
    "type", "unit", "updated_at", "url", "user", "user_id", "username", "value", "version", "year",
    "zip",
  ]
}

extension CSVHeaderDetector {
  /// The types that are not distinguished.
  private enum Family {
    case number, boolean, time, text

    init(_ kind: TableCollector.TextKind) {
      self =
        switch kind {
        case .integer, .real, .decimal: .number
        case .boolean: .boolean
        case .date, .dateTime: .time
        case .text: .text
        }
    }
  }

  /// The values of a column, except for the first record's.
  private struct Column {
    /// The type of all values, or text; `nil` if there are no values.
    private(set) var family: Family?
    /// A Boolean value that indicates whether most values are years.
    let hasYears: Bool
    private let values: [Cell]

    init(_ values: [Cell]) {
      self.values = values
      hasYears = 2 * values.count(where: \.isYear) > values.count
      for cell in values {
        let own = Family(cell.kind)
        family = family == nil || family == own ? own : .text
      }
    }

    /// Returns whether a name occurs among the values, and is spelled like another value.
    func hasValue(like name: Cell) -> Bool {
      guard values.contains(where: { $0.text == name.text }) else { return false }
      let others = values.filter { $0.text != name.text }
      return others.isEmpty || others.contains { $0.shape == name.shape }
    }
  }
}

extension CSVHeaderDetector.Cell {
  /// A Boolean value that indicates whether the field is a year: an integer from 1500 to 2199.
  fileprivate var isYear: Bool {
    if case .integer(1_500...2_199) = kind { text.count == 4 } else { false }
  }

  /// A Boolean value that indicates whether the field is a word for a missing value.
  fileprivate var isMissingValue: Bool {
    ["na", "n/a", "#n/a", "nan", "null", "nil", "none", "-", "--", "?", "\\n", "unknown"].contains(
      string.lowercased())
  }

  /// The sequence of classes of characters: `Aa` for `London`.
  fileprivate var shape: [Character] {
    var shape: [Character] = []
    for character in string {
      let kind: Character =
        character.isUppercase
        ? "A" : character.isLetter ? "a" : character.isNumber ? "0" : character
      if shape.last != kind { shape.append(kind) }
    }
    return shape
  }
}
