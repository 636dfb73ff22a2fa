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
      /// A struct of the query, with this name and lists of its own.
      case nesting(String, RowLayout)
    }

    var field: Field
    var element: Element
    /// The test for a statement row without an element.
    var presence: RowField.OuterJoinCheck
    /// The key by which elements are merged, or repeated elements are recognized.
    var key: Key
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

  /// The lists, including those of the elements.
  var allLists: [List] {
    lists.flatMap { list -> [List] in
      if case .nesting(_, let layout) = list.element { [list] + layout.allLists } else { [list] }
    }
  }

  /// Indicates whether the elements of a list are repeated in a statement's rows for the elements of
  /// another.
  var hasRepeatedElements: Bool {
    allLists.count { if case .nesting = $0.element { false } else { true } } > 1
  }

  /// The properties that are read from columns, including the elements' properties.
  var allColumns: [RowField] {
    fields
      + allLists.flatMap { list -> [RowField] in
        switch list.element {
        case .columns(_, let fields): fields
        case .nesting(_, let layout): layout.fields
        case .value, .table: []
        }
      }
  }

  /// All properties, the lists last.
  var properties: [Field] { fields.map(\.field) + lists.map(\.field) }

  init(_ parts: [ResultField], of query: NamedProject.Query, _ named: NamedProject) {
    let all = RowField.fields(of: parts, query, named)
    // The driver has reported configured columns that do not exist.
    let chosen = query.options.lists.compactMap { $0.keeping(parts) }
    var builder = ListBuilder(Array(zip(parts, all)), of: query, named)
    do throws(ListProblem) {
      var names = UniqueNames(taken: Set(all.map(\.field.name)))
      lists = try builder.lists(query.definition.lists + chosen, &names)
      fields = builder.rest.map(\.1)
      guard !lists.isEmpty else { return }
      if fields.isEmpty {
        throw ListProblem(
          message: "all columns of the query are in its lists; at least one must not be")
      }
      key = Key(builder.rest, named)
    } catch {
      problem = error.message
    }
  }

  fileprivate init(fields: [RowField], lists: [List], key: Key) {
    self.fields = fields
    self.lists = lists
    self.key = key
  }
}

/// The reason why a list can't be generated.
private struct ListProblem: Error {
  var message: String
}

extension NestedList {
  /// Returns the list without columns that a result does not have; `nil` if none remain.
  fileprivate func keeping(_ parts: [ResultField]) -> NestedList? {
    let columns = columns.filter { name in parts.contains { $0.matchesName(name) } }
    guard !columns.isEmpty else { return nil }
    return NestedList(
      name: name, columns: columns, lists: lists.compactMap { $0.keeping(parts) })
  }
}

extension ResultField {
  /// Returns whether a list refers to the field by this name.
  fileprivate func matchesName(_ name: String) -> Bool {
    self.name.asciiLowercased == name.asciiLowercased
  }
}

/// Forms lists of a result's columns.
private struct ListBuilder {
  typealias Part = (ResultField, RowField)

  /// The columns that are not in a list.
  private(set) var rest: [Part]
  private let query: NamedProject.Query
  private let named: NamedProject
  private var types: UniqueNames

  init(_ parts: [Part], of query: NamedProject.Query, _ named: NamedProject) {
    rest = parts
    self.query = query
    self.named = named
    types = UniqueNames(taken: Set(query.typeNames + query.parameterTypes.values))
  }

  /// Takes the columns of lists, and those of the lists in their elements.
  ///
  /// - Parameter names: The names of the other properties.
  mutating func lists(
    _ wanted: [NestedList], _ names: inout UniqueNames
  ) throws(ListProblem) -> [RowLayout.List] {
    var lists: [RowLayout.List] = []
    for list in wanted {
      var parts: [Part] = []
      for column in list.columns {
        guard let place = rest.firstIndex(where: { $0.0.matchesName(column) }) else {
          throw ListProblem(
            message: "the result has no column or table '\(column)' that can be part of a list")
        }
        parts.append(rest.remove(at: place))
      }
      lists.append(try self.list(list, parts, &names))
    }
    return lists
  }

  private mutating func list(
    _ list: NestedList, _ parts: [Part], _ names: inout UniqueNames
  ) throws(ListProblem) -> RowLayout.List {
    var words = IdentifierWords(list.name)
    var name = words.lowerCamel
    if list.name.isEmpty {
      guard parts.count == 1, case .table(let table) = parts[0].0 else {
        throw ListProblem(message: "a list of several columns needs a name: 'nest: … AS name'")
      }
      words = IdentifierWords(table.name)
      name = words.plural
    }
    name = names.take(name)
    let (presence, fields) = self.presence(of: parts)
    func made(_ type: String, _ element: RowLayout.List.Element) -> RowLayout.List {
      RowLayout.List(
        field: Field(name: name, type: "[\(type)]"), element: element, presence: presence,
        key: RowLayout.Key(zip(parts.map(\.0), fields).map { ($0, $1) }, named))
    }
    if list.lists.isEmpty, fields.count == 1 {
      switch fields[0].content {
      case .table(let type, _): return made(type, .table(fields[0]))
      case .column(let value):
        return made(value.type, .value(value, at: fields[0].columns.lowerBound))
      }
    }
    let type = types.take(
      query.typePrefix + words.singular.upperCamel,
      query.typePrefix + words.singular.upperCamel + "Element")
    guard !list.lists.isEmpty else { return made(type, .columns(type, fields)) }
    var members = UniqueNames(taken: Set(fields.map(\.field.name)))
    let inner = try lists(list.lists, &members)
    var result = made(type, .columns(type, fields))
    result.element = .nesting(
      type, RowLayout(fields: fields, lists: inner, key: result.key))
    return result
  }

  /// Returns the test for a statement row without an element, and the properties of an element that
  /// is present.
  private func presence(of parts: [Part]) -> (RowField.OuterJoinCheck, [RowField]) {
    let fields = parts.map(\.1)
    if parts.count == 1 {
      switch (parts[0].0, fields[0].content) {
      case (.table(let table), .table(let type, _)):
        var present = fields[0]
        present.content = .table(type, .always)
        present.field.type = type
        present.field.isOptional = false
        let columns = named.tables[table.table]?.columns ?? []
        return (table.isOptional ? .of(columns, fields[0].columns) : .always, [present])
      default:
        return (
          fields[0].field.isOptional ? .column(fields[0].columns.lowerBound) : .always,
          [fields[0].required]
        )
      }
    }
    let joined = parts.map { part, _ in
      if case .column(let column) = part { column.outerJoined } else { nil as OuterJoinInfo? }
    }
    if parts.contains(where: { !$0.1.field.isOptional }) { return (.always, fields) }
    guard let certain = joined.firstIndex(where: { $0?.isCertain == true }),
      joined.allSatisfy({ $0?.source == joined[certain]?.source })
    else { return (.all(fields.flatMap(\.columns)), fields) }
    // If the join found no row, all columns of the entry are NULL. Otherwise, the columns that are
    // NULL for no other reason have values.
    return (
      .column(fields[certain].columns.lowerBound),
      zip(fields, joined).map { field, joined in
        joined?.isCertain == true ? field.required : field
      }
    )
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
          columns.append((field.columns.lowerBound + place, field.field.isOptional ? nil : value))
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
