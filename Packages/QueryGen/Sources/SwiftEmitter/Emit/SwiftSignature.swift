public import QueryModel

/// A query's generated Swift declaration, for editors.
public struct SwiftSignature: Hashable, Sendable {
  /// A parameter, or a property of the row's struct.
  public struct Value: Hashable, Sendable {
    public var name: String
    public var type: String
  }

  /// The property of the generated database type.
  public var property: String
  public var parameters: [Value]
  /// The type of the result.
  public var output: String
  /// The properties of the row's struct; empty if there is none.
  public var row: [Value]

  /// The call and its result: `openTodos(limit: Int) -> [OpenTodosRow]`.
  public var text: String {
    let list = parameters.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
    return "\(property)(\(list)) -> \(output)"
  }
}

extension SwiftEmitter {
  /// Returns the signatures of one query file's queries, independently of other query files.
  public func signatures(
    of queries: [QueryDefinition], tables: [TableDefinition]
  ) -> [SwiftSignature] {
    let project = Project(
      tables: tables, migrations: [], files: [QueryFile(name: "", queries: queries)])
    let named = NamedProject(project, options: options)
    guard let file = named.files.first else { return [] }
    return file.queries.map { query in
      let shape = QuerySignature(query, named)
      return SwiftSignature(
        property: query.property,
        parameters: shape.fields.map { SwiftSignature.Value(name: $0.name, type: $0.type) },
        output: shape.output,
        row: shape.rowLayout?.allColumns.map {
          SwiftSignature.Value(name: $0.field.name, type: $0.field.type)
        } ?? [])
    }
  }

  /// Returns the Swift types of a table's columns.
  public func columnTypes(
    of table: TableDefinition, tables: [TableDefinition]
  ) -> [(column: String, type: String)] {
    let named = NamedProject(
      Project(tables: tables, migrations: [], files: []), options: options)
    return table.columns.map { ($0.name, named.types.value(of: $0, in: table).type) }
  }
}
