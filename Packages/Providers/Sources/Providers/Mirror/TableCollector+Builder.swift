internal import SQLiteCore

extension TableCollector {
  /// Fills a table of a ``TableCollector``, whose columns and their types show as its rows come.
  ///
  /// ```swift
  /// let people = tables.table("people")
  /// let name = people.column("name"), age = people.column("age")
  /// people.set(name, text: "Ada".utf8.span)
  /// people.set(age, integer: 36)
  /// try people.endRow()
  /// ```
  ///
  /// The types are those of all values: see ``TableCollector``.
  public final class Builder {
    /// The table's name.
    public let name: String
    unowned let collector: TableCollector
    let survey: TableCollector.Survey
    /// The row, and what is known of the columns.
    var draft = RowDraft()
    /// The columns by the names that they were asked for, byte by byte.
    private var places: [[UInt8]: Int] = [:]
    /// Those that were asked for.
    private var asked: Set<Int> = []
    /// The columns by their own names.
    private var numbers: [FoldedName: Int] = [:]
    /// What may become the primary key.
    var key: KeyPlan
    /// Whether rows of other tables refer to rows by their numbers.
    private(set) var hasChildren = false
    /// What these are called, where they do.
    private(set) var numberName: String?
    /// The table whose rows its own belong to, and the column that says to which.
    var parent: (table: Builder, column: Int)?
    private let declared: [FoldedName: ColumnType]
    let known: TableCollector.KnownTable?

    var rowCount: Int64 = 0
    var lastKey: Int64?
    /// The statement that inserts rows, for as many columns as the table has.
    var insert: (rowCount: Int, statement: Statement)?
    /// How the table was made; `nil` where it was not yet.
    var createdSQL: String?
    var createdCount = 0

    /// How a row is known among others.
    enum KeyPlan: Equatable {
      /// Not known before the first row.
      case undecided
      case none
      /// An integer that grows from row to row: it is the row's number in SQLite.
      case rowID(column: Int)
      case unique(column: Int)

      var column: Int? {
        switch self {
        case .rowID(let column), .unique(let column): column
        case .undecided, .none: nil
        }
      }
    }

    init(
      _ name: String, in collector: TableCollector, declared: [FoldedName: ColumnType],
      known: TableCollector.KnownTable?
    ) {
      self.name = name
      self.collector = collector
      survey = collector.survey
      self.declared = declared
      self.known = known
      key = .undecided
      hasChildren = known?.hasChildren ?? false
      for column in known?.columns ?? [] { addColumn(column.name, column.kinds) }
    }

    // MARK: Columns

    /// The number of a column, which is added where it is new.
    ///
    /// Names that SQLite takes for one get a number behind them, but for the first.
    public func column(_ name: String) -> Int {
      let key = Array(name.utf8)
      if let known = places[key] { return known }
      var unique = name.isEmpty ? "column\(places.count + 1)" : name
      if isTaken(unique) {
        var number = 2
        while isTaken("\(unique)_\(number)") { number += 1 }
        unique += "_\(number)"
      }
      let place = index(of: unique) ?? addColumn(unique, [])
      places[key] = place
      asked.insert(place)
      return place
    }

    /// Whether a column has the name that was asked for by another one.
    private func isTaken(_ name: String) -> Bool {
      index(of: name).map { asked.contains($0) } ?? false
    }

    func index(of name: String) -> Int? {
      numbers[FoldedName(name)]
    }

    @discardableResult
    func addColumn(_ name: String, _ kinds: ColumnKinds) -> Int {
      draft.add(RowDraft.Column(name, kinds, declared: declared[FoldedName(name)]))
      let place = draft.columns.count - 1
      numbers[FoldedName(name)] = place
      return place
    }

    /// The names of the columns, in their order.
    public var columnNames: [String] { draft.columns.map(\.name) }

    /// The type of a column by all that was seen of it; `nil` for none.
    public func type(of column: Int) -> ColumnType? {
      let own = parent?.column == column ? ColumnType.integer : draft.columns[column].kinds.type
      return draft.columns[column].declared ?? own
    }

    /// How the texts of a column were written whose type is not text.
    public func form(of column: Int) -> ColumnForm { draft.columns[column].form }

    /// The column that is the key, or would be if numbers were not; `nil` where there is none.
    var keyColumn: String? { key.column.map { draft.columns[$0].name } }

    func noteChild(numberedBy name: String) {
      hasChildren = true
      numberName = name
      if case .rowID = key { giveUpRowID() }
    }

    // MARK: Values

    /// Exchanges the row that is being filled, for who sets many values of it in a loop, and gives it back.
    func exchange(_ draft: inout RowDraft) { swap(&self.draft, &draft) }

    /// Sets a column to NULL, as it is where nothing is set.
    public func setNull(_ column: Int) { draft.setNull(column) }

    public func set(_ column: Int, integer value: Int64) {
      if draft.set(column, integer: value) { return }
      widen(column, [ColumnKinds(integer: value), .typed])
      _ = draft.set(column, integer: value)
    }

    public func set(_ column: Int, real value: Double) {
      if draft.set(column, real: value) { return }
      widen(column, [.real, .typed])
      _ = draft.set(column, real: value)
    }

    public func set(_ column: Int, boolean value: Bool) {
      if draft.set(column, boolean: value) { return }
      widen(column, [.boolean, .typed])
      _ = draft.set(column, boolean: value)
    }

    /// Sets a column to a value that is a text, in UTF-8.
    public func set(_ column: Int, text value: Span<UInt8>) {
      if draft.set(column, text: value) { return }
      widen(column, [.textValue, .typed])
      _ = draft.set(column, text: value)
    }

    /// Sets a column to a text in UTF-8 that may say something else, as those of CSV and XML do.
    public func set(_ column: Int, field value: Span<UInt8>) {
      while !draft.set(column, field: value) {
        // Numbers that would be written otherwise than they were are texts.
        widen(column, form(of: column).isUniform ? ColumnKinds(TextKind(value)) : .text)
      }
    }

    /// Sets a column to a number that no type holds, by its digits.
    public func set(_ column: Int, number digits: Span<UInt8>) {
      if draft.set(column, number: digits) { return }
      widen(column, [.longNumber, .typed])
      _ = draft.set(column, number: digits)
    }

    /// Sets a column to an object or an array, as a text in JSON.
    public func set(_ column: Int, container json: Span<UInt8>) {
      if draft.set(column, container: json) { return }
      widen(column, [.container, .typed])
      _ = draft.set(column, container: json)
    }

    /// Adds kinds to those that a column has had. Where the values before would have been stored otherwise, all is
    /// read again.
    private func widen(_ column: Int, _ kinds: ColumnKinds) {
      guard let (old, new) = draft.widen(column, kinds) else { return }
      if !new.holdsValues(of: old) { survey.begin() }
      guard key.column == column else { return }
      switch new {
      case .number where !draft.columns[column].kinds.contains(.real): break
      case .text: if case .rowID = key { giveUpRowID() }
      default: giveUpKey()
      }
    }
  }
}

@available(*, unavailable) extension TableCollector.Builder: Sendable {}
