import QueryModel

extension Projects {
  /// Names and text that could result in invalid Swift.
  static let hostile = Project(
    tables: [
      table("data", ["default", "self", "init", "Type", "class", "hash value", "row"]),
      table("query", ["1st", "two words", "a-b", "a_b", "aB", "", "###", "日本", "é"]),
      table("string", ["URLPath", "USER_ID", "userID", "_private", "ID3", "hashValue"]),
      table("123", ["x"]),
      table("latest_row", ["x"]),
    ],
    migrations: [
      MigrationDefinition(
        name: "1_\"quoted\"\\(name)",
        sql:
          "CREATE TABLE t (a TEXT DEFAULT '\"\"\"#\"\"\"##', b DEFAULT '\\(1)\\#(2)\\');  \n\t\r\n"),
      MigrationDefinition(name: "2", sql: "-- caf\u{E9} \u{0}\u{7}\u{202E}\n\n"),
    ],
    files: [
      QueryFile(
        name: "Hostile",
        queries: [
          query(
            "latest", "SELECT \"a\", 'it''s \\n \"\"\" #' FROM t WHERE a = :default",
            [
              ParameterDefinition(index: 1, name: "default", type: .any, isNullable: true),
              ParameterDefinition(index: 2, name: "in", type: .text, isNullable: true),
              ParameterDefinition(index: 3, name: "connection", type: .numeric, isNullable: true),
              ParameterDefinition(index: 4, name: "self", type: .integer, isNullable: false),
              ParameterDefinition(index: 5, name: "execute", type: .integer, isNullable: false),
            ],
            .columns([
              ColumnDefinition(name: "id", type: .integer, isNullable: false),
              ColumnDefinition(name: "id", type: .integer, isNullable: false),
              ColumnDefinition(name: "id2", type: .integer, isNullable: true),
              ColumnDefinition(name: "?", type: .any, isNullable: true),
            ]), .many, documentation: "Ends */ here /* \u{0}`\"\"\"`"),
          query("default", "SELECT 1", [], .none, .none),
          query("database", "SELECT 1", [], .none, .none),
          query("self", "SELECT 1", [], .none, .none),
        ])
    ])

  private static func table(_ name: String, _ columns: [String]) -> TableDefinition {
    TableDefinition(
      name: name, kind: .view,
      columns: columns.map { ColumnDefinition(name: $0, type: .text, isNullable: false) },
      primaryKey: [])
  }
}
