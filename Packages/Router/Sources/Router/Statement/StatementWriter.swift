internal import SQLiteCore

/// Makes a statement of a route: its text where it is not known yet, and in the same walk the values, so that they
/// can't be in another order.
///
/// No name of a route gets into the text: what is written are the names that the database has, in quotes.
struct StatementWriter {
  let catalog: Catalog
  let settings: SharedSettings
  /// Whether the text is wanted; otherwise it is known, and only the values are gathered.
  let writesText: Bool
  private(set) var text = ""
  private(set) var values: [any SQLiteBindable] = []
  private var aliasCount = 0
  private var aliasPrefix: String
  var termCount = 0

  /// A table in the statement, with the name that columns are qualified by.
  struct Scope {
    let facts: TableFacts
    let alias: String
    /// What the rows have, where they are groups of the table's.
    var groups: Groups?
  }

  init(
    _ table: TableFacts, catalog: Catalog, settings: SharedSettings, writesText: Bool
  ) {
    self.catalog = catalog
    self.settings = settings
    self.writesText = writesText
    aliasPrefix = "holt"
    while writesText, table.name.lowercased().hasPrefix(aliasPrefix) {
      aliasPrefix = "_" + aliasPrefix
    }
  }

  /// A name that nothing else in the statement has.
  mutating func freshAlias() -> String {
    aliasCount += 1
    return "\(aliasPrefix) \(aliasCount)"
  }

  @inline(__always)
  mutating func write(_ piece: @autoclosure () -> String) {
    if writesText { text += piece() }
  }

  /// Writes a parameter.
  mutating func bind(_ value: SQLiteValue) { bind(.value(value)) }

  mutating func bind(list values: [SQLiteValue]) { bind(.list(values)) }

  private mutating func bind(_ value: BoundValue) {
    values.append(value)
    if writesText { text += "?\(values.count)" }
  }

  /// Writes a column, or the part of its JSON.
  mutating func write(_ column: DatabaseRoute.Column, in scope: Scope) throws {
    if let groups = scope.groups { return try write(column, of: groups, in: scope) }
    let name = writesText || !column.path.isEmpty ? try scope.facts.column(column.name).name : ""
    guard !column.path.isEmpty else {
      return write("\(SQLName.quoted(scope.alias)).\(SQLName.quoted(name))")
    }
    write("json_extract(\(SQLName.quoted(scope.alias)).\(SQLName.quoted(name)), ")
    bind(.text(try path(column)))
    write(")")
  }

  /// A path as SQLite's functions take it.
  private func path(_ column: DatabaseRoute.Column) throws(RouterError) -> String {
    var path = "$"
    for step in column.path {
      switch step {
      case .index(let index):
        guard index >= 0 else { throw .invalid("a place in JSON is not negative") }
        path += "[\(index)]"
      case .key(let key):
        // In quotes all else is taken as it is; there is no way to write these.
        guard !key.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == 0 || $0 == 92 }) else {
          throw .invalid(
            "a key with a quote, a backslash or a NUL can't be looked up in JSON",
            column: column.name)
        }
        path += ".\"\(key)\""
      }
    }
    return path
  }

  /// Writes parts with something between them.
  mutating func writeEach<Part>(
    _ parts: some Sequence<Part>, separator: String = ", ",
    _ body: (inout StatementWriter, Part) throws -> Void
  ) throws {
    var isFirst = true
    for part in parts {
      if !isFirst { write(separator) }
      isFirst = false
      try body(&self, part)
    }
  }

  /// What stands for a table in `FROM`, `INTO` and the like.
  static func source(_ facts: TableFacts) -> String {
    "\(facts.schema.map { SQLName.quoted($0) } ?? "\"main\"").\(SQLName.quoted(facts.name))"
  }
}
