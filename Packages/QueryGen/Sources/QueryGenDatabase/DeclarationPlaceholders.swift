internal import QueryModel
internal import SQLiteCore

/// Placeholders for the functions, collations and modules that a program implements, so that SQLite
/// accepts the project's schema without the program.
struct DeclarationPlaceholders: Sendable {
  let declarations: Declarations

  func register(on connection: Connection) throws {
    for function in declarations.functions {
      let counts: [Int?] =
        function.maximumArguments.map { Array(function.minimumArguments...$0) } ?? [nil]
      for count in counts {
        var options: Connection.FunctionOptions = []
        if function.isDeterministic { options.insert(.deterministic) }
        if function.isDirectOnly { options.insert(.directOnly) }
        switch function.kind {
        case .scalar:
          let type = function.result.type
          try connection.register(function.name, argumentCount: count, options: options) {
            Self.value(of: type, $0)
          }
        case .aggregate:
          try connection.register(
            Aggregate.self, as: function.name, argumentCount: count, options: options)
        case .window:
          try connection.register(
            Window.self, as: function.name, argumentCount: count, options: options)
        }
      }
    }
    for collation in declarations.collations {
      try connection.registerCollation(collation.name) { $0 < $1 ? -1 : $0 == $1 ? 0 : 1 }
    }
    for module in declarations.modules {
      try connection.register(module: Module(definition: module), as: module.name)
    }
  }

  /// Returns a value that most constraints accept. A text differs for different arguments, for unique
  /// indexes.
  private static func value(
    of type: ValueType, _ arguments: borrowing FunctionArguments
  ) -> SQLiteValue {
    switch type {
    case .integer, .real, .boolean, .numeric: return .integer(1)
    case .text:
      if case .text(let text) = arguments[0] { return .text(text) }
      return .text("\(arguments[0])")
    case .blob: return .blob(Array("\(arguments[0])".utf8))
    case .any, .swift: return arguments[0]
    }
  }

  private struct Aggregate: AggregateFunction {
    func step(_ arguments: borrowing FunctionArguments) {}
    func result() -> SQLiteValue { .integer(1) }
  }

  private struct Window: WindowFunction {
    func step(_ arguments: borrowing FunctionArguments) {}
    func inverse(_ arguments: borrowing FunctionArguments) {}
    func value() -> SQLiteValue { .integer(1) }
  }

  /// A module whose tables have no rows, and accept all that are inserted.
  private struct Module: VirtualTable.Module {
    let definition: ModuleDefinition

    var kind: VirtualTable.ModuleKind {
      switch definition.kind {
      case .created: .created
      case .eponymous: .eponymous
      case .eponymousOnly: .eponymousOnly
      }
    }

    func connect(_ table: TableName, arguments: [String]) -> Table {
      let own =
        definition.takesColumns
        ? arguments.filter { !$0.contains("=") }.compactMap { argument in
          argument.split { $0 == " " || $0 == "+" || $0 == "\"" }.first.map {
            VirtualTable.Column(String($0))
          }
        } : []
      return Table(
        columns: own
          + definition.columns.map { VirtualTable.Column($0.column.name, isHidden: $0.isHidden) })
    }
  }

  private final class Table: VirtualTable.WritableTable {
    let columns: [VirtualTable.Column]

    init(columns: [VirtualTable.Column]) { self.columns = columns }

    func bestIndex(_ info: VirtualTable.IndexInfo) -> VirtualTable.Plan? { VirtualTable.Plan() }
    func open() -> Cursor { Cursor() }

    func insert(
      _ values: borrowing FunctionArguments, rowID: RowID?,
      onConflict: VirtualTable.ConflictResolution
    ) -> RowID {
      rowID ?? RowID(rawValue: 1)
    }

    func update(
      _ rowID: RowID, to newRowID: RowID, _ values: borrowing FunctionArguments,
      onConflict: VirtualTable.ConflictResolution
    ) {}

    func delete(_ rowID: RowID) {}
  }

  private struct Cursor: VirtualTable.Cursor {
    func filter(
      indexNumber: Int32, indexString: String?, _ arguments: borrowing FunctionArguments
    ) {}
    func next() {}
    var isAtEnd: Bool { true }
    func column(_ column: ColumnIndex) -> SQLiteValue { .null }
    func rowID() -> RowID { RowID(rawValue: 1) }
  }
}
