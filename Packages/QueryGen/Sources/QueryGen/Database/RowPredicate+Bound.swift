extension Region.RowPredicate {
  /// `column <comparison> value`, with the value that is bound.
  ///
  /// If `value` can't be converted, the predicate holds for every row; the statement then fails.
  public static func column(
    _ column: Region.ColumnName, _ comparison: Comparison, bound value: any SQLiteBindable
  ) -> Region.RowPredicate {
    guard let value = try? value.sqliteValue else { return .everyRow(column) }
    return .column(column, comparison, value)
  }

  /// `column IN (values)`, with the values that are bound.
  public static func column(
    _ column: Region.ColumnName, inBound values: any SQLiteBindable...
  ) -> Region.RowPredicate {
    let known = values.compactMap { try? $0.sqliteValue }
    return known.count == values.count ? .column(column, in: known) : .everyRow(column)
  }

  /// `column IN list`, with the values that are bound. An empty list matches no row.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  public static func column(
    _ column: Region.ColumnName, inList list: [some SQLiteBindable]
  ) -> Region.RowPredicate {
    let known = list.compactMap { try? $0.sqliteValue }
    return known.count == list.count ? .column(column, in: known) : .everyRow(column)
  }

  /// A predicate that holds for every row.
  private static func everyRow(_ column: Region.ColumnName) -> Region.RowPredicate {
    .isNull(column) || .isNotNull(column)
  }
}

extension Region {
  /// Returns the region of the rows of one table that satisfy all predicates; a predicate that does
  /// not apply is `nil`.
  public static func rows(
    of table: TableName, whereAll predicates: [RowPredicate?], reading columns: ColumnSet
  ) -> Region {
    let known = predicates.compactMap(\.self)
    if let first = known.first {
      return .rows(of: table, where: known.dropFirst().reduce(first) { $0 && $1 }, reading: columns)
    }
    switch columns {
    case .all: return .table(table)
    case .some(let columns): return .columns(table, columns)
    }
  }

  /// Creates the region that a statement reads: columns by table. An empty array means all columns.
  public init(reading tables: KeyValuePairs<TableName, [String]>) {
    var region = Region.nothing
    for (name, columns) in tables {
      region = region.union(
        columns.isEmpty ? .table(name) : .columns(name, Set(columns.map { ColumnName($0) })))
    }
    self = region
  }
}
