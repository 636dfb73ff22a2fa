import QueryModel
import SwiftEmitter
import Testing

@Suite struct `Default types` {
  static let mappings: [(String, TypeMapping?)] = [
    ("DATETIME", TypeMapping(type: "Date")), ("datetime(6)", TypeMapping(type: "Date")),
    ("Timestamp", TypeMapping(type: "Date")), ("TIMESTAMPTZ", TypeMapping(type: "Date")),
    ("TIMESTAMP (3)  with time ZONE", TypeMapping(type: "Date")),
    ("DATE", TypeMapping(type: "Date", coding: .adapter("ColumnFormats.DateOnlyText"))),
    ("uuid", TypeMapping(type: "UUID")), ("GUID", TypeMapping(type: "UUID")),
    ("JSON", TypeMapping(type: "JSONDocument")),
    // These have an affinity that says what is stored.
    ("DATE TEXT", nil), ("DATETIME INT", nil), ("TEXT", nil), ("", nil), ("DATES", nil),
    ("JSONB", nil), ("TIME", nil),
  ]

  @Test(arguments: mappings)
  func `follow the declared type`(_ declared: String, _ expected: TypeMapping?) {
    #expect(TypeMapping(declaredType: declared) == expected)
  }

  @Test(arguments: [
    ("DATETIME", GenerationOptions(), "var at: Date?"),
    ("JSON", GenerationOptions(), "var at: JSONDocument?"),
    ("DATETIME", GenerationOptions(hasDefaultTypes: false), "var at: SQLiteValue"),
    (
      "DATETIME", GenerationOptions(types: ["DATETIME": TypeMapping(type: "Moment")]),
      "var at: Moment?"
    ),
  ])
  func `are replaced by the configuration`(
    _ declared: String, _ options: GenerationOptions, _ property: String
  ) throws {
    let visit = TableDefinition(
      name: "visit", kind: .table,
      columns: [
        ColumnDefinition(name: "at", type: .any, isNullable: true, declaredType: declared)
      ], primaryKey: [])
    let project = Project(tables: [visit], migrations: [], files: [])
    let files = SwiftEmitter(options: options).emit(project).files
    #expect(files.contains { $0.text.contains("  \(property)\n") })
  }
}
