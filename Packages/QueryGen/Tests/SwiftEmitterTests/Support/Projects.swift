import QueryModel

/// Small handwritten projects, equal to the analyzed ones.
enum Projects {
  static let todo = TableDefinition(
    name: "todo", kind: .table,
    columns: [
      ColumnDefinition(name: "id", type: .integer, isNullable: true),
      ColumnDefinition(name: "name", type: .text, isNullable: false),
      ColumnDefinition(name: "completedOn", type: .integer, isNullable: true),
    ], primaryKey: [])

  static let expense = TableDefinition(
    name: "expenses", kind: .table,
    columns: [
      ColumnDefinition(name: "id", type: .integer, isNullable: false),
      ColumnDefinition(name: "title", type: .text, isNullable: false),
      ColumnDefinition(
        name: "amount", type: .real, isNullable: false, documentation: "In euros."),
      ColumnDefinition(name: "paid_on", type: .integer, isNullable: false),
      ColumnDefinition(name: "is_shared", type: .boolean, isNullable: true),
      ColumnDefinition(name: "receipt", type: .blob, isNullable: true),
      ColumnDefinition(name: "extra", type: .any, isNullable: true),
    ], primaryKey: ["id"], documentation: "What was paid.\n\nNever deleted.")

  /// The examples of seed 002.
  static let seed = Project(
    tables: [todo],
    migrations: [
      MigrationDefinition(
        name: "1",
        sql: """
          CREATE TABLE todo (
            id INTEGER,
            name TEXT NOT NULL,
            completedOn INTEGER
          )
          """)
    ],
    files: [
      QueryFile(
        name: "Todo",
        queries: [
          QueryDefinition(
            name: "selectTodos", sql: "SELECT * FROM todo", parameters: [],
            result: .table("todo"), cardinality: .many, isReadOnly: true,
            reads: [TableAccess(table: "todo", columns: ["completedOn", "id", "name"])],
            writes: [])
        ])
    ])

  /// Queries with every kind of result.
  static let shapes = Project(
    tables: [expense],
    migrations: [MigrationDefinition(name: "1", sql: "CREATE TABLE expenses (id INTEGER)")],
    files: [QueryFile(name: "reports/Expenses", queries: shapeQueries)])

  private static let shapeQueries: [QueryDefinition] = [
    query(
      "latest_expenses",
      "SELECT id, title, amount FROM expenses\nWHERE paid_on BETWEEN ? AND ?;",
      [
        ParameterDefinition(index: 1, name: "paid_on_lower", type: .integer, isNullable: false),
        ParameterDefinition(index: 2, name: "paid_on_upper", type: .integer, isNullable: false),
      ],
      .columns(Array(expense.columns.prefix(3))), .many,
      documentation: "The expenses of a stretch of days.\n\n    indented code\n"),
    query(
      "expense", "SELECT * FROM expenses WHERE id = ?", [id], .table("expenses"), .optional),
    query("countExpenses", "SELECT count(*) FROM expenses", [], count, .one),
    query("titles", "SELECT title FROM expenses", [], title(isNullable: false), .many),
    query(
      "titleOf", "SELECT title FROM expenses WHERE id = ?", [id], title(isNullable: false),
      .optional),
    query(
      "receiptOf", "SELECT receipt FROM expenses WHERE id = ?", [id],
      .columns([ColumnDefinition(name: "receipt", type: .blob, isNullable: true)]), .optional),
    query(
      "total", "SELECT sum(amount), count(*) FROM expenses", [],
      .columns([
        ColumnDefinition(name: "sum(amount)", type: .real, isNullable: true),
        ColumnDefinition(name: "count(*)", type: .integer, isNullable: false),
      ]), .one),
    query(
      "rename", "UPDATE expenses SET title = :title WHERE id = :id",
      [
        ParameterDefinition(index: 1, name: "title", type: .text, isNullable: false),
        ParameterDefinition(index: 2, name: "id", type: .integer, isNullable: false),
      ], .none, .none, isReadOnly: false),
    query("clear", "DELETE FROM expenses", [], .none, .none, isReadOnly: false),
    query(
      "byIDs", "SELECT * FROM expenses WHERE id IN ? AND amount > ? OR id IN ?1",
      [
        ParameterDefinition(
          index: 1, name: "ids", type: .integer, isNullable: false, isList: true,
          listRanges: [35..<36, 61..<63]),
        ParameterDefinition(
          index: 2, name: "amount", type: .real, isNullable: false, ranges: [50..<51]),
      ], .table("expenses"), .many),
    query(
      "deleteAll", "DELETE FROM expenses WHERE id IN :ids",
      [
        ParameterDefinition(
          index: 1, name: "ids", type: .integer, isNullable: false, isList: true,
          listRanges: [33..<37])
      ], .none, .none, isReadOnly: false),
    query(
      "gap", "SELECT title FROM expenses WHERE id = ?3 AND amount = ?1",
      [
        ParameterDefinition(index: 3, name: "id", type: .integer, isNullable: false),
        ParameterDefinition(index: 1, name: "amount", type: .real, isNullable: false),
      ], title(isNullable: false), .many),
    query(
      "wideGap", "SELECT title FROM expenses WHERE id = ?900",
      [ParameterDefinition(index: 900, name: "id", type: .integer, isNullable: false)],
      title(isNullable: false), .many),
    query(
      "add", "INSERT INTO expenses VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        ParameterDefinition(
          index: 1, name: "rows", type: .any, isNullable: true, isList: true,
          columns: elements(expense.columns), table: "expenses", rowRanges: [28..<49])
      ], .none, .none, isReadOnly: false),
    query(
      "addTitles",
      "INSERT INTO expenses (title, id) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET title = :other "
        + "RETURNING title",
      [
        ParameterDefinition(
          index: 1, name: "rows", type: .any, isNullable: true, isList: true,
          columns: [
            ElementColumn(name: "title", type: .text, isNullable: true, isStored: true),
            ElementColumn(name: "id", type: .integer, isNullable: true),
          ], rowRanges: [40..<46]),
        ParameterDefinition(
          index: 2, name: "other", type: .text, isNullable: false, ranges: [86..<92],
          isStored: true),
      ], title(isNullable: false), .many, isReadOnly: false),
    query(
      "addName", "INSERT INTO expenses (title) VALUES (?)",
      [
        ParameterDefinition(
          index: 1, name: "title", type: .text, isNullable: true, rowRanges: [36..<39],
          isStored: true)
      ], .none, .none, isReadOnly: false),
    block,
  ]

  private static func elements(_ columns: [ColumnDefinition]) -> [ElementColumn] {
    columns.map { ElementColumn(name: $0.name, type: $0.type, isNullable: $0.isNullable) }
  }

  /// Several statements that share a parameter.
  private static var block: QueryDefinition {
    var definition = query(
      "replaceAll",
      "DELETE FROM expenses WHERE id IN :ids AND title <> :title; "
        + "INSERT INTO expenses (title) VALUES (?); SELECT * FROM expenses WHERE title = :title",
      [
        ParameterDefinition(
          index: 1, name: "ids", type: .integer, isNullable: false, isList: true,
          listRanges: [33..<37]),
        ParameterDefinition(
          index: 2, name: "title", type: .text, isNullable: false,
          ranges: [51..<57, 137..<143]),
        ParameterDefinition(
          index: 3, name: "titles", type: .text, isNullable: false, isList: true,
          rowRanges: [95..<98], isStored: true),
      ], .table("expenses"), .many, isReadOnly: false)
    definition.statementRanges = [0..<57, 59..<98, 100..<143]
    return definition
  }

  static let id = ParameterDefinition(index: 1, name: "id", type: .integer, isNullable: false)

  private static let count = ResultLayout.columns([
    ColumnDefinition(name: "count(*)", type: .integer, isNullable: false)
  ])

  private static func title(isNullable: Bool) -> ResultLayout {
    .columns([ColumnDefinition(name: "title", type: .text, isNullable: isNullable)])
  }

  static func query(
    _ name: String, _ sql: String, _ parameters: [ParameterDefinition] = [],
    _ result: ResultLayout = .none, _ cardinality: Cardinality = .none, isReadOnly: Bool = true,
    documentation: String? = nil
  ) -> QueryDefinition {
    QueryDefinition(
      name: name, documentation: documentation, sql: sql, parameters: parameters, result: result,
      cardinality: cardinality, isReadOnly: isReadOnly,
      reads: isReadOnly ? [TableAccess(table: "expenses", columns: [])] : [],
      writes: isReadOnly ? [] : ["expenses"])
  }
}
