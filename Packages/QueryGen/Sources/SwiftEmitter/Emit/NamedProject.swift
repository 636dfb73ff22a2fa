internal import Primitives
import QueryModel

/// A project with the Swift names of all its declarations.
struct NamedProject: Sendable {
  /// A query, and the names of the declarations generated for it; shared by all writers.
  final class Query: Sendable {
    let definition: QueryDefinition
    /// The unescaped name of the database type's property.
    let property: String
    /// The prefix of the names of the query's types.
    let typePrefix: String
    let options: QueryOptions
    /// The names of the structs for orders, filters and row values, by parameter number.
    let parameterTypes: [Int: String]

    init(
      definition: QueryDefinition, property: String, typePrefix: String, options: QueryOptions,
      parameterTypes: [Int: String] = [:]
    ) {
      self.definition = definition
      self.property = property
      self.typePrefix = typePrefix
      self.options = options
      self.parameterTypes = parameterTypes
    }

    var input: String { options.inputName ?? typePrefix + "Input" }
    var row: String { options.rowName ?? typePrefix + "Row" }
    var output: String { typePrefix + "Output" }
    var alias: String { typePrefix + "Query" }
    var statement: String { typePrefix + "Statement" }
    /// The names of all types that every query has.
    var typeNames: [String] { [input, row, output, alias, statement] }

    /// Returns the type of a result column as configured, or else as specified by the query's
    /// comment.
    func mapping(of column: ColumnDefinition) -> SwiftMapping? {
      let key = column.name.asciiLowercased
      return options.columns[key]?.mapping.map { SwiftMapping($0, storing: column.type) }
        ?? definition.columnTypes[key].map { SwiftMapping($0, storing: column.type) }
    }

    /// Returns the configured options of a parameter.
    func options(of parameter: ParameterDefinition) -> ColumnOptions? {
      options.parameters[parameter.name] ?? options.parameters[parameter.name.asciiLowercased]
    }

    /// Returns the type of a parameter as configured, or else as specified by the query's comment.
    func mapping(of parameter: ParameterDefinition) -> SwiftMapping? {
      options(of: parameter)?.mapping.map { SwiftMapping($0, storing: parameter.type) }
        ?? definition.parameterTypes[parameter.name.asciiLowercased].map {
          SwiftMapping($0, storing: parameter.type)
        }
    }
  }

  struct File: Sendable {
    var name: String
    var queries: [Query]
  }

  var files: [File] = []
  /// The names of the tables' structs, by table name.
  var tableTypes: [String: String] = [:]
  /// The tables, by name.
  private(set) var tables: [String: TableDefinition] = [:]
  /// The names of the implementations of functions, collations and modules; `nil` if the program
  /// implements none.
  private(set) var functions: FunctionNames?
  /// The name of the struct of attached databases; `nil` if there are none.
  private(set) var attachments: String?
  /// The Swift types of the columns.
  private(set) var types: TypeCatalog
  /// Indicates whether the types are named, after all queries.
  private(set) var hasTypes = false
  /// The tables whose structs are parts of rows.
  private(set) var embedded: Set<String> = []
  let options: GenerationOptions
  var diagnostics: [EmitterDiagnostic] = []
  private var firstUse: [String: EmitterDiagnostic.Place] = [:]

  /// Names all declarations of a project.
  init(_ project: Project, options: GenerationOptions) {
    self.init(options: options, tables: project.tablesWithStructs)
    while files.count < project.files.count { nameQueries(of: project) }
    nameTypes(of: project)
  }

  /// Creates a project in which nothing is named.
  ///
  /// - Parameter tables: The tables that have structs.
  init(options: GenerationOptions, tables projectTables: [TableDefinition]) {
    self.options = options
    var names = UniqueNames()
    types = TypeCatalog([], Declarations(), tableTypes: [:], options: options, names: &names)
    for table in projectTables { tables[table.name] = table }
    let databaseName = options.databaseName
    if IdentifierWords(databaseName).upperCamel.isEmpty || !NamedProject.isTypeName(databaseName) {
      diagnostics.append(
        EmitterDiagnostic(
          identity: .unusableDatabaseName,
          message: "'\(databaseName)' is not a valid name for the database type"))
    }
  }

  /// Names the queries of the next file.
  mutating func nameQueries(of project: Project) {
    let file = project.files[files.count]
    var named = File(name: file.name, queries: [])
    for (number, query) in file.queries.enumerated() {
      let place = EmitterDiagnostic.Place(file: files.count, query: number)
      if let query = name(query, at: place, in: project) { named.queries.append(query) }
    }
    files.append(named)
  }

  /// Names the types, after the queries of all files.
  mutating func nameTypes(of project: Project) {
    hasTypes = true
    let projectTables = project.tablesWithStructs
    var names = nameTables(
      projectTables, project.declarations, databaseName: options.databaseName,
      hasAttachments: !project.attachments.isEmpty)
    types = TypeCatalog(
      projectTables.sorted { $0.name < $1.name }, project.declarations, tableTypes: tableTypes,
      options: options,
      names: &names)
    types.name(project.types, names: &names)
    checkConfiguredNames()
    for case .fields(let fields) in project.files.lazy.flatMap(\.queries).map(\.result) {
      for case .table(let table) in fields { embedded.insert(table.table) }
    }
  }

  private mutating func name(
    _ query: QueryDefinition, at place: EmitterDiagnostic.Place, in project: Project
  ) -> Query? {
    let chosen = options.queries[query.name] ?? QueryOptions()
    var property = chosen.swiftName ?? IdentifierWords(query.name).lowerCamel
    guard
      property.unicodeScalars.contains(where: \.isASCIILetter)
        || property.contains(where: \.isLetter)
    else {
      diagnostics.append(
        EmitterDiagnostic(
          identity: .unusableQueryName, place: place,
          message: "the name of the query '\(query.name)' must contain a letter"))
      return nil
    }
    if SwiftKeywords.reservedDatabaseMembers.contains(property)
      || options.engine == .postgresql
        && SwiftKeywords.reservedPostgreSQLMembers.contains(property)
    {
      property += "Query"
    }
    if let earlier = firstUse[property] {
      let first = project.files[earlier.file].queries[earlier.query].name
      let isSame = first == query.name
      diagnostics.append(
        EmitterDiagnostic(
          identity: isSame ? .duplicateQuery : .collidingQueryNames, place: place, earlier: earlier,
          message: isSame
            ? "a query named '\(query.name)' already exists"
            : "the queries '\(first)' and '\(query.name)' are both '\(property)' in Swift"))
      return nil
    }
    firstUse[property] = place
    return Query(
      definition: query, property: property,
      typePrefix: property.prefix(1).uppercased() + property.dropFirst(), options: chosen)
  }

  /// Assigns the names of the tables' structs. The names of queries take precedence.
  ///
  /// - Returns: The names of all types.
  private mutating func nameTables(
    _ tables: [TableDefinition], _ declarations: Declarations, databaseName: String,
    hasAttachments: Bool
  ) -> UniqueNames {
    var taken = SwiftKeywords.reservedTypes
    taken.reserveCapacity(taken.count + files.reduce(0) { $0 + $1.queries.count } * 6)
    taken.insert(databaseName)
    if options.engine == .postgresql { taken.formUnion(SwiftKeywords.reservedPostgreSQLTypes) }
    for query in files.lazy.flatMap(\.queries) {
      for name in query.typeNames { taken.insert(name) }
    }
    taken.formUnion(nameParameters(taken))
    for table in tables.sorted(by: { $0.name < $1.name }) {
      guard let name = options.tables[table.name.asciiLowercased]?.swiftName else { continue }
      tableTypes[table.name] = name
      taken.insert(name)
    }
    if hasAttachments {
      let name = databaseName + "Attachments"
      taken.formUnion([name, "DatabaseAttachments"])
      attachments = name
    }
    if declarations.needsImplementations {
      var unique = UniqueNames(taken: taken)
      let names = FunctionNames(declarations, databaseName: databaseName, &unique)
      taken.formUnion(names.types)
      functions = names
    }
    var unique = UniqueNames(taken: taken.union(referencedTypes(of: tables, declarations)))
    // A table with a singular name takes precedence over one with a plural name.
    let inOrder = tables.sorted {
      let (a, b) = (NamedProject.isSingular($0), NamedProject.isSingular($1))
      return a != b ? a : $0.name < $1.name
    }
    for table in inOrder where tableTypes[table.name] == nil {
      let words = IdentifierWords(table.schema == "temp" ? table.baseName : table.name)
      let plain = words.upperCamel
      let usable = plain.contains(where: \.isLetter) ? plain : "Table" + plain
      let singular = plain == usable ? words.singular.upperCamel : usable
      tableTypes[table.name] = unique.take(
        singular, singular == usable ? singular + "Record" : usable, singular + "Record")
    }
    // An enum may have a name that another column refers to.
    return UniqueNames(taken: taken.union(tableTypes.values))
  }

  /// Assigns the names of the structs for orders, filters and row values.
  ///
  /// - Parameter taken: The names that are in use.
  /// - Returns: The assigned names.
  private mutating func nameParameters(_ taken: Set<String>) -> [String] {
    var unique = UniqueNames(taken: taken)
    var assigned: [String] = []
    for file in files.indices {
      for (number, query) in files[file].queries.enumerated() {
        var types: [Int: String] = [:]
        for parameter in query.definition.parameters {
          if !parameter.orderChoices.isEmpty || !parameter.filterColumns.isEmpty {
            let name = query.typePrefix + IdentifierWords(parameter.name).upperCamel
            types[parameter.index] = unique.take(name, name + "Choice")
          } else if !parameter.columns.isEmpty,
            parameter.table.flatMap({ tables[$0] }) == nil
          {
            types[parameter.index] = unique.take(
              query.typePrefix + IdentifierWords(parameter.name).singular.upperCamel,
              query.typePrefix + "Element")
          }
        }
        guard !types.isEmpty else { continue }
        assigned += types.values
        files[file].queries[number] = Query(
          definition: query.definition, property: query.property, typePrefix: query.typePrefix,
          options: query.options, parameterTypes: types)
      }
    }
    return assigned
  }

  /// Returns the names of types that the schema and the configuration refer to, which the author
  /// declares. A name with a period, such as `Album.ID`, is returned whole: `Album` may be a
  /// table's struct.
  private func referencedTypes(
    of tables: [TableDefinition], _ declarations: Declarations
  ) -> Set<String> {
    let columns =
      options.tables.values.flatMap(\.columns.values)
      + options.queries.values.flatMap { Array($0.columns.values) + Array($0.parameters.values) }
    let mappings = options.types.values + columns.compactMap(\.mapping)
    let declared =
      declarations.functions.flatMap { $0.parameters.map(\.column) + [$0.result] }
      + declarations.modules.flatMap { $0.columns.map(\.column) }
    let annotations =
      (tables.flatMap(\.columns) + declared).compactMap(\.annotation)
      + files.flatMap(\.queries).flatMap {
        Array($0.definition.columnTypes.values) + Array($0.definition.parameterTypes.values)
      }
    let texts = mappings.flatMap(\.names) + annotations.flatMap { [$0.type, $0.format ?? ""] }
    return Set(
      texts.flatMap { text in
        text.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." }.map(String.init)
      })
  }

  private static func isSingular(_ table: TableDefinition) -> Bool {
    let words = IdentifierWords(table.baseName)
    return words == words.singular
  }

  static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first else { return false }
    return (first == "_" || first.startsIdentifier)
      && name.unicodeScalars.allSatisfy(\.continuesIdentifier)
  }

  static func isTypeName(_ name: String) -> Bool {
    isIdentifier(name) && SwiftKeywords.escaped(name) == name
      && !SwiftKeywords.reservedTypes.contains(name)
  }
}

extension TypeMapping {
  /// The types of the author that the mapping names.
  fileprivate var names: [String] {
    if case .adapter(let adapter) = coding { [type, adapter] } else { [type] }
  }
}

/// Checks for names and options that can't be expressed in Swift.
extension NamedProject {
  /// Checks the configured names, which are used unchanged and so must be valid.
  mutating func checkConfiguredNames() {
    var users: [String: String] = [:]
    func check(_ name: String, _ user: String, at place: EmitterDiagnostic.Place? = nil) {
      if !NamedProject.isTypeName(name) {
        diagnostics.append(
          EmitterDiagnostic(
            identity: .unusableConfiguredName, place: place,
            message: "'\(name)' is not a valid name for the struct of \(user)"))
      } else if let other = users.updateValue(user, forKey: name), other != user {
        diagnostics.append(
          EmitterDiagnostic(
            identity: .collidingConfiguredNames, place: place,
            message: "the structs of \(other) and of \(user) are both named '\(name)'"))
      }
    }
    for (table, type) in tableTypes.sorted(by: { $0.key < $1.key })
    where options.tables[table.asciiLowercased]?.swiftName != nil {
      check(type, "the table '\(table)'")
    }
    for (index, file) in files.enumerated() {
      for (number, query) in file.queries.enumerated() {
        let place = EmitterDiagnostic.Place(file: index, query: number)
        let name = query.definition.name
        if !NamedProject.isIdentifier(query.property) {
          diagnostics.append(
            EmitterDiagnostic(
              identity: .unusableConfiguredName, place: place,
              message: "'\(query.property)' is not a valid name for the query '\(name)'"))
        }
        if let input = query.options.inputName { check(input, "the input of '\(name)'", at: place) }
        if let row = query.options.rowName { check(row, "the rows of '\(name)'", at: place) }
      }
    }
  }

  /// Records the problems of a query's result.
  mutating func check(_ shape: QuerySignature, at place: EmitterDiagnostic.Place) {
    guard let row = shape.rowLayout else { return }
    if let problem = row.problem {
      diagnostics.append(
        EmitterDiagnostic(identity: .unusableList, place: place, message: problem))
    }
    if !row.lists.isEmpty, shape.statements.last?.insertedList != nil {
      diagnostics.append(
        EmitterDiagnostic(
          identity: .unusableList, place: place,
          message: "the rows that a list of inserted rows returns can't be merged into lists"))
    }
    let query = files[place.file].queries[place.query]
    guard query.options.isCodable ?? options.isCodable else { return }
    for field in row.allFields + shape.fields where field.isDynamic {
      reportNotCodable(field, of: "the query '\(query.definition.name)'", at: place)
    }
  }

  /// Records the problems of a table's struct.
  mutating func check(_ table: TableDefinition, isCodable: Bool) {
    let fields = RowField.fields(of: table, self).map(\.field)
    var taken = Set(fields.map(\.name))
    for property in options.tables[table.name.asciiLowercased]?.properties ?? []
    where !NamedProject.isIdentifier(property.name) || !taken.insert(property.name).inserted {
      diagnostics.append(
        EmitterDiagnostic(
          identity: .unusableConfiguredName, place: nil,
          message: "'\(property.name)' can't be the name of an additional property of the table "
            + "'\(table.name)': the name is invalid or already in use"))
    }
    guard isCodable else { return }
    for field in fields where field.isDynamic {
      reportNotCodable(field, of: "the table '\(table.name)'", at: nil)
    }
  }

  private mutating func reportNotCodable(
    _ field: Field, of owner: String, at place: EmitterDiagnostic.Place?
  ) {
    diagnostics.append(
      EmitterDiagnostic(
        identity: .notCodable, place: place,
        message: "the struct of \(owner) can't be Codable: '\(field.name)' may contain any value; "
          + "configure a type for it, or that the struct is not Codable"))
  }
}

extension Field {
  /// Indicates whether the property can't be `Codable`, because it may contain any value.
  fileprivate var isDynamic: Bool {
    ["SQLiteValue", "PostgreSQLValue", "PostgreSQLInterval", "PostgreSQLRange"]
      .contains { type.contains($0) }
  }
}

extension RowLayout {
  /// The properties of the row and of its lists' elements.
  fileprivate var allFields: [Field] { allColumns.map(\.field) }
}
