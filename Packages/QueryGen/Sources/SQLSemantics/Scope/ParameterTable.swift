internal import QueryModel
internal import SQLSyntax

/// The parameters of one statement: their numbers, and the types and names inferred from their
/// uses.
struct ParameterTable: Sendable {
  /// The information inferred from one use of a parameter.
  struct Use: Sendable {
    var type: ValueType?
    /// Indicates whether `NULL` is a meaningful value; `nil` if unknown.
    var acceptsNull: Bool?
    /// A suggested name for the parameter.
    var name: String?
    /// The columns whose values the parameter is used as.
    var provenance = Provenance.empty
  }

  /// The ways in which a statement uses a parameter.
  enum Form: Hashable, Sendable {
    case value
    /// A list of values: `IN ?`.
    case list
    /// The values of an `INSERT`: `VALUES :rows`, `VALUES (:row.*)`.
    case rows
  }

  /// An `INSERT` whose values are a parameter's.
  struct Insertion: Sendable {
    /// The span in whose place SQLite expects values.
    var span: ByteSpan
    /// Indicates whether the values are a list of rows.
    var isList: Bool
    /// The table of which a row contains all columns, if any.
    var table: String?
  }

  struct Entry: Sendable {
    /// The name in its original spelling, with its first character.
    var name: String?
    /// The name that SQLite reports: the parameter's name, or its explicit number as `?5`.
    var spelling: String?
    var uses: [Use] = []
    /// The spans at which the parameter is a list: `IN ?`.
    var listSpans: [ByteSpan] = []
    /// The spans at which the parameter is a value.
    var valueSpans: [ByteSpan] = []
    /// The spans at which the parameter supplies the values of an `INSERT`.
    var rowSpans: [ByteSpan] = []
    /// The number of values in each element, and the first use that requires it.
    var elementWidth: (count: Int, span: ByteSpan)?
    /// The columns of the elements, if they are row values.
    var columns: [Entry] = []
    /// The inserts whose values are the parameter's.
    var insertions: [Insertion] = []
    /// Indicates whether the statement stores the value in a column, also if it is `NULL`.
    var isStored = false
    /// The name of a column that can't store `NULL`, and the first use that stores the value in it.
    var requiredColumn: (name: String, span: ByteSpan)?

    /// The spans of all uses, in order.
    var spans: [ByteSpan] {
      (listSpans + valueSpans + rowSpans).sorted { $0.start < $1.start }
    }
  }

  /// The entries by number.
  private(set) var entries: [Int: Entry] = [:]
  private var numbers: [ByteOffset: Int] = [:]
  private var byName: [String: Int] = [:]
  /// The largest parameter number, as returned by `sqlite3_bind_parameter_count`.
  private(set) var count = 0
  /// The largest parameter number that SQLite accepts.
  static let limit = 250_000

  /// Returns the parameter's number, assigned as in SQLite: `?` gets the largest number so far plus
  /// one, and a name keeps the number of its first use.
  ///
  /// A parameter that is resolved twice keeps its number. SQLite numbers parameters in source
  /// order, so all parameters of a statement must be numbered in that order before any is typed.
  mutating func number(_ parameter: Parameter) -> Int? {
    number(parameter.kind, at: parameter.span, .value)
  }

  mutating func number(_ kind: Parameter.Kind, at span: ByteSpan, _ form: Form) -> Int? {
    if let known = numbers[span.start] { return known }
    let number: Int
    switch kind {
    case .anonymous: number = count + 1
    case .numbered(let written):
      guard written >= 1, written <= Self.limit else { return nil }
      number = written
    case .named(let name):
      number = byName[name] ?? count + 1
      byName[name] = number
    }
    guard number <= Self.limit else { return nil }
    count = max(count, number)
    numbers[span.start] = number
    switch form {
    case .value: entries[number, default: Entry()].valueSpans.append(span)
    case .list: entries[number, default: Entry()].listSpans.append(span)
    case .rows: entries[number, default: Entry()].rowSpans.append(span)
    }
    if entries[number]?.spelling == nil {
      switch kind {
      case .anonymous: break
      case .numbered: entries[number]?.spelling = "?\(number)"
      case .named(let name): entries[number]?.spelling = name
      }
    }
    if case .named(let name) = kind { entries[number]?.name = name }
    return number
  }

  mutating func add(_ use: Use, to number: Int) {
    entries[number]?.uses.append(use)
  }

  /// Records a use of a parameter with several values, with a use for each column of its elements.
  ///
  /// - Returns: The earlier use in which the elements have another number of columns, if any.
  mutating func add(
    elements uses: [Use], to number: Int, at span: ByteSpan
  ) -> (count: Int, span: ByteSpan)? {
    guard var entry = entries[number] else { return nil }
    if let width = entry.elementWidth, width.count != uses.count { return width }
    if entry.elementWidth == nil { entry.elementWidth = (uses.count, span) }
    if uses.count == 1 {
      entry.uses += uses
    } else {
      if entry.columns.isEmpty { entry.columns = Array(repeating: Entry(), count: uses.count) }
      for (index, use) in uses.enumerated() { entry.columns[index].uses.append(use) }
    }
    entries[number] = entry
    return nil
  }

  mutating func markStored(_ number: Int) { entries[number]?.isStored = true }

  /// Records that a parameter's value is stored in a column that can't store `NULL`.
  mutating func require(_ number: Int, inColumn name: String, at span: ByteSpan) {
    if entries[number]?.requiredColumn == nil { entries[number]?.requiredColumn = (name, span) }
  }

  /// Records that the values of a parameter are inserted.
  ///
  /// - Parameter stored: For each column, whether the statement stores its value also if it is
  ///   `NULL`.
  mutating func add(_ insertion: Insertion, storing stored: [Bool], to number: Int) {
    guard var entry = entries[number] else { return }
    entry.insertions.append(insertion)
    if entry.columns.isEmpty, stored.contains(true) { entry.isStored = true }
    for (index, isStored) in zip(entry.columns.indices, stored) where isStored {
      entry.columns[index].isStored = true
    }
    entries[number] = entry
  }
}

extension ParameterTable.Entry {
  /// The type on which all uses agree.
  var type: ValueType {
    let suggestedTypes = uses.compactMap(\.type).filter { $0 != .any }
    // `numeric` adds no information if another use has a more specific type.
    let certain = suggestedTypes.filter { $0 != .numeric }
    let types = certain.isEmpty ? suggestedTypes : certain
    guard let first = types.first else { return .any }
    let merged = types.dropFirst().reduce(first) { $0.union($1) }
    // A number compared with both integers and reals is bound as a real.
    return merged == .numeric && types.contains(.real) ? .real : merged
  }

  /// The table of which inserted rows contain all columns, if it is the same for every use.
  var table: String? {
    insertions.first?.table.flatMap { table in
      insertions.allSatisfy { $0.table == table } ? table : nil
    }
  }

  /// The columns whose values the parameter is used as, if every use specifies columns.
  var provenance: Provenance { uses.reduce(.empty) { $0.union($1.provenance) } }

  /// Indicates whether `NULL` may be bound: if a use accepts it, or if no use has any type
  /// information.
  var isNullable: Bool {
    let nullHints = uses.compactMap(\.acceptsNull)
    return nullHints.isEmpty ? uses.allSatisfy { $0.type == nil } : nullHints.contains(true)
  }
}
