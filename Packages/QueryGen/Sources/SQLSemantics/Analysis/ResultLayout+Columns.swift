internal import QueryModel

extension ResultLayout {
  /// Creates the layout of a result row. The columns that come from one `table.*` form one field.
  init(_ columns: [SelectColumn]) {
    var fields: [ResultField] = []
    var hasTable = false
    var index = 0
    while index < columns.count {
      let column = columns[index]
      if let star = column.star {
        let part = columns[index...].prefix { $0.star == star }
        if part.count == star.columnCount {
          // A column that is never NULL proves that the outer join found a row.
          let isOptional = star.isOptional && part.allSatisfy(\.isNullable)
          fields.append(
            .table(
              EmbeddedTable(
                name: star.name, isAlias: star.hasAlias, table: star.table,
                isOptional: isOptional)))
          hasTable = true
          index += part.count
          continue
        }
      }
      fields.append(.column(QueryModel.ColumnDefinition(column)))
      index += 1
    }
    self = hasTable ? .fields(fields) : .columns(columns.map(QueryModel.ColumnDefinition.init))
  }
}

extension QueryModel.ColumnDefinition {
  fileprivate init(_ column: SelectColumn) {
    var joined: OuterJoinInfo?
    if case .column(let read) = column.expression?.kind, read.isOptional, column.isNullable {
      joined = OuterJoinInfo(source: read.source.value, isCertain: !read.isDeclaredNullable)
    }
    self.init(
      name: column.name, type: column.type ?? .any, isNullable: column.isNullable,
      origins: column.provenance.references, outerJoined: joined)
  }
}
