internal import Primitives
import QueryModel

/// The struct of a query's rows.
struct RowLayout: Hashable {
  /// A list that is filled from several rows of the statement.
  struct List: Hashable {
    enum Element: Hashable {
      /// The value of one column.
      case value(SwiftValue, at: Int)
      /// A table's struct.
      case table(RowField)
      /// A struct of the query, with this name.
      case columns(String, [RowField])
    }

    var field: Field
    var element: Element
    /// The test for a statement row without an element.
    var presence: RowField.OuterJoinCheck
  }

  /// The key by which statement rows are merged.
  struct Key: Hashable {
    var type: String
    /// The columns of the statement.
    var columns: [Int]
    /// Indicates whether the value is read as its own type, rather than as a `SQLiteValue`.
    var isTyped: Bool
  }

  var fields: [RowField] = []
  var lists: [List] = []
  var key: Key?
  /// The reason why the struct can't be generated.
  private(set) var problem: String?

  /// The properties that are read from columns, including the elements' properties.
  var allColumns: [RowField] {
    fields
      + lists.flatMap { list -> [RowField] in
        if case .columns(_, let fields) = list.element { fields } else { [] }
      }
  }

  /// All properties, the lists last.
  var properties: [Field] { fields.map(\.field) + lists.map(\.field) }

  init(_ parts: [ResultField], of query: NamedProject.Query, _ named: NamedProject) {
    let all = RowField.fields(of: parts, query, named)
    // The driver has reported configured columns that do not exist.
    let chosen = query.options.lists.map { list in
      let columns = list.columns.filter { name in parts.contains { $0.matchesName(name) } }
      return NestedList(name: list.name, columns: columns)
    }
    let wanted = query.definition.lists + chosen.filter { !$0.columns.isEmpty }
    var rest = Array(zip(parts, all))
    var names = UniqueNames(taken: Set(all.map(\.field.name)))
    for list in wanted {
      var elements: [(ResultField, RowField)] = []
      for column in list.columns {
        guard let place = rest.firstIndex(where: { $0.0.matchesName(column) }) else {
          problem = "the result has no column or table '\(column)' that can be part of a list"
          return
        }
        elements.append(rest.remove(at: place))
      }
      guard let made = List(list, elements, query, named, &names) else {
        problem = "a list of several columns needs a name: 'nest: … AS name'"
        return
      }
      lists.append(made)
    }
    fields = rest.map(\.1)
    guard !lists.isEmpty else { return }
    if rest.isEmpty {
      problem = "all columns of the query are in its lists; at least one must not be"
      return
    }
    key = Key(rest, named)
  }
}

extension ResultField {
  /// Returns whether a list refers to the field by this name.
  fileprivate func matchesName(_ name: String) -> Bool {
    self.name.asciiLowercased == name.asciiLowercased
  }
}

extension RowLayout.List {
  fileprivate init?(
    _ list: NestedList, _ elements: [(ResultField, RowField)], _ query: NamedProject.Query,
    _ named: NamedProject, _ names: inout UniqueNames
  ) {
    let fields = elements.map(\.1)
    if elements.count == 1, case .table(let table) = elements[0].0,
      case .table(let type, _) = fields[0].content
    {
      let name =
        list.name.isEmpty
        ? Pluralizer.of(IdentifierWords(table.name)) : IdentifierWords(list.name).lowerCamel
      field = Field(name: names.take(name), type: "[\(type)]")
      let definition = named.tables[table.table]
      presence = table.isOptional ? .of(definition?.columns ?? [], fields[0].columns) : .always
      var present = fields[0]
      present.content = .table(type, .always)
      element = .table(present)
      return
    }
    guard !list.name.isEmpty else { return nil }
    let words = IdentifierWords(list.name)
    let name = names.take(words.lowerCamel)
    if elements.count == 1, case .column(var value) = fields[0].content {
      presence = value.isOptional ? .column(fields[0].columns.lowerBound) : .always
      value.isOptional = false
      field = Field(name: name, type: "[\(value.mapping.type)]")
      element = .value(value, at: fields[0].columns.lowerBound)
      return
    }
    var type = query.typePrefix + words.singular.upperCamel
    if query.typeNames.contains(type) { type += "Element" }
    field = Field(name: name, type: "[\(type)]")
    let joined = elements.map { part, _ in
      if case .column(let column) = part { column.outerJoined } else { nil as OuterJoinInfo? }
    }
    if elements.contains(where: { !$0.1.field.isOptional }) {
      presence = .always
      element = .columns(type, fields)
    } else if let certain = joined.firstIndex(where: { $0?.isCertain == true }),
      joined.allSatisfy({ $0?.source == joined[certain]?.source })
    {
      // If the join found no row, all columns of the entry are NULL. Otherwise, the columns that
      // are NULL for no other reason have values.
      presence = .column(fields[certain].columns.lowerBound)
      element = .columns(
        type,
        zip(fields, joined).map { field, joined in
          joined?.isCertain == true ? field.required : field
        })
    } else {
      presence = .all(fields.flatMap(\.columns))
      element = .columns(type, fields)
    }
  }
}

extension RowField {
  /// The field for a row in which it is not NULL.
  fileprivate var required: RowField {
    guard case .column(var value) = content else { return self }
    value.isOptional = false
    var result = self
    result.content = .column(value)
    result.field.type = value.type
    result.field.isOptional = false
    return result
  }
}

extension RowField.OuterJoinCheck {
  /// Returns the test for whether the table columns in `range` belong to a row.
  static func of(_ columns: [ColumnDefinition], _ range: Range<Int>) -> Self {
    guard let certain = columns.firstIndex(where: { !$0.isNullable }) else {
      return .columns(Array(range))
    }
    return .column(range.lowerBound + certain)
  }

  static func all(_ columns: [Int]) -> Self {
    columns.count == 1 ? .column(columns[0]) : .columns(columns)
  }
}

extension RowLayout.Key {
  /// Creates a key of the tables' primary keys and all other columns.
  fileprivate init(_ parts: [(ResultField, RowField)], _ named: NamedProject) {
    var columns: [(index: Int, value: SwiftValue?)] = []
    for (part, field) in parts {
      switch (part, field.content) {
      case (.table(let embedded), _):
        let table = named.tables[embedded.table]
        let keys = table?.primaryKey ?? []
        for (place, column) in (table?.columns ?? []).enumerated()
        where keys.isEmpty || keys.contains(column.name) {
          let value = table.map { named.types.value(of: column, in: $0) }
          columns.append((field.columns.lowerBound + place, embedded.isOptional ? nil : value))
        }
      case (.column, .column(let value)): columns.append((field.columns.lowerBound, value))
      case (.column, .table): break
      }
    }
    self.columns = columns.map(\.index)
    let only = columns.count == 1 ? columns.first?.value : nil
    isTyped = only != nil && only?.mapping.format == nil
    type = isTyped ? only?.type ?? "" : columns.count == 1 ? "SQLiteValue" : "[SQLiteValue]"
  }
}

extension RowField {
  /// Returns the properties of a row, in column order.
  static func fields(
    of parts: [ResultField], _ query: NamedProject.Query, _ named: NamedProject
  ) -> [RowField] {
    let names = UniqueNames.members(
      for: parts.map(\.propertyName), fallback: "column",
      chosen: parts.map { part in
        query.options.columns[part.name.asciiLowercased]?.swiftName
          ?? part.inheritedName(named.options)
      })
    var position = 0
    return zip(names, parts).map { name, part in
      let start = position
      switch part {
      case .column(let column):
        position += 1
        let value = named.types.value(
          column.type, isNullable: column.isNullable, from: column.origins,
          chosen: query.mapping(of: column))
        return RowField(
          field: Field(
            name: name, type: value.type, documentation: column.documentation,
            isOptional: value.isOptional),
          content: .column(value), columns: start..<position, columnName: column.name)
      case .table(let embedded):
        let table = named.tables[embedded.table]
        position += table?.columns.count ?? 0
        let type = named.tableTypes[embedded.table] ?? embedded.table
        return RowField(
          field: Field(
            name: name, type: embedded.isOptional ? type + "?" : type,
            isOptional: embedded.isOptional),
          content: .table(
            type,
            embedded.isOptional ? .of(table?.columns ?? [], start..<position) : .always),
          columns: start..<position)
      }
    }
  }

  /// Returns the properties of a table's struct.
  static func fields(of table: TableDefinition, _ named: NamedProject) -> [RowField] {
    let chosen = named.options.tables[table.name.asciiLowercased]?.columns ?? [:]
    let names = UniqueNames.members(
      for: table.columns.map(\.name), fallback: "column",
      chosen: table.columns.map { chosen[$0.name.asciiLowercased]?.swiftName })
    return zip(names, table.columns).enumerated().map { place, pair in
      let value = named.types.value(of: pair.1, in: table)
      return RowField(
        field: Field(
          name: pair.0, type: value.type, documentation: pair.1.documentation,
          isOptional: value.isOptional),
        content: .column(value), columns: place..<place + 1, columnName: pair.1.name)
    }
  }
}

extension [TableColumn] {
  /// Returns the name that is configured for a table's column. It also applies to results that
  /// contain the column under its own name.
  func chosenName(of name: String, _ options: GenerationOptions) -> String? {
    guard count == 1, self[0].column.asciiLowercased == name.asciiLowercased else { return nil }
    return options.tables[self[0].table.asciiLowercased]?.columns[name.asciiLowercased]?.swiftName
  }
}

extension ResultField {
  fileprivate func inheritedName(_ options: GenerationOptions) -> String? {
    guard case .column(let column) = self else { return nil }
    return column.origins.chosenName(of: column.name, options)
  }

  /// The name from which the property's is derived: for a table without an alias, the singular.
  fileprivate var propertyName: String {
    guard case .table(let table) = self, !table.isAlias else { return name }
    return IdentifierWords(name).singular.lowerCamel
  }
}
