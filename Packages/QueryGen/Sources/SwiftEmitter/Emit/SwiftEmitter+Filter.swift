import QueryModel

/// The struct of a filter's values.
struct FilterType: Hashable {
  struct Column: Hashable {
    /// The unescaped Swift name.
    var name: String
    var sql: String
    var value: SwiftValue
  }

  var type: String
  /// The parameter's name in the query.
  var parameter: String
  var columns: [Column]

  /// - Returns: `nil` if the parameter is not a filter.
  init?(
    _ parameter: ParameterDefinition, of query: NamedProject.Query, _ named: NamedProject
  ) {
    guard !parameter.filterColumns.isEmpty, let type = query.parameterTypes[parameter.index]
    else { return nil }
    self.type = type
    self.parameter = parameter.name
    let names = UniqueNames.members(for: parameter.filterColumns.map(\.name), fallback: "column")
    columns = zip(names, parameter.filterColumns).map { name, column in
      let value = named.types.value(
        column.type, isNullable: false, from: column.origins, chosen: nil)
      return Column(name: name, sql: column.sql, value: value)
    }
  }
}

extension ParameterField {
  init(_ filter: FilterType, named name: String, index: Int) {
    let type = "Queries.Filter<\(filter.type)>"
    self.init(
      field: Field(name: name, type: type + "?", isOptional: true),
      value: SwiftValue(mapping: SwiftMapping(type: type), isOptional: true), index: index,
      isList: false, isConditional: true, filter: filter)
  }
}

extension SwiftEmitter {
  /// Generates the struct of a filter's values.
  func filterType(_ filter: FilterType, _ link: String, _ writer: inout SwiftWriter) {
    writer.documentation("The values of the filter `\(filter.parameter)` of \(link).")
    writer.block("\(typeAccess)struct \(filter.type): Queries.FilterColumns") { writer in
      for column in filter.columns {
        let head = "\(access)let \(SwiftKeywords.escaped(column.name))"
        let value = column.value
        let format = value.mapping.format.map { ", Queries.Formatted<\($0)>.init)" } ?? ")"
        writer.literal("\(head) = Queries.FilterColumn<\(value.type)>(", column.sql, format)
      }
      writer.line()
      writer.line("\(access)static let columns = \(filter.type)()")
    }
  }
}
