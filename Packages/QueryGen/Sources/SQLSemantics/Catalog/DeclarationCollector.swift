public import QueryModel
public import SQLSyntax

/// Collects the declarations of a project's files, and reports those that are in conflict.
///
/// ```swift
/// var collector = DeclarationCollector(target: .standard)
/// for declaration in script.declarations {
///   collector.add(declaration, in: source, path: "Migrations/1.sql", diagnostics: &diagnostics)
/// }
/// let catalog = Catalog(declarations: collector.declarations)
/// ```
public struct DeclarationCollector: Sendable {
  /// The kinds of object whose names are independent of each other in SQLite.
  private enum Namespace: Hashable { case function, collation, module }

  private struct Key: Hashable {
    var namespace: Namespace
    var name: NameKey
  }

  private let builtin: Catalog
  private var places: [Key: (path: String, span: ByteSpan)] = [:]
  private var functions: [NameKey: FunctionDefinition] = [:]
  private var collations: [NameKey: CollationDefinition] = [:]
  private var modules: [NameKey: ModuleDefinition] = [:]

  /// - Parameter target: The SQLite release whose functions can't be declared.
  public init(target: SQLiteVersion = .standard) { builtin = Catalog(target: target) }

  /// The valid declarations, sorted by name.
  public var declarations: Declarations {
    Declarations(
      functions: functions.sorted { $0.key < $1.key }.map(\.value),
      collations: collations.sorted { $0.key < $1.key }.map(\.value),
      modules: modules.sorted { $0.key < $1.key }.map(\.value))
  }

  /// Checks a declaration and adds it.
  ///
  /// - Parameters:
  ///   - node: The declaration.
  ///   - source: The text from which it was parsed.
  ///   - path: The file's path, for messages about other files.
  ///   - place: The declaration's span in the file, if the source is only a part of it.
  ///   - diagnostics: The list to which errors are appended. A declaration with an error is added
  ///     unless its name is in use, so that its uses are not errors as well.
  public mutating func add(
    _ node: Declaration, in source: SourceText, path: String, place: ByteSpan? = nil,
    diagnostics: inout DiagnosticList
  ) {
    let name = NameKey(node.name.text)
    let namespace: Namespace =
      switch node.kind {
      case .function, .aggregate, .window: .function
      case .collation: .collation
      case .module: .module
      }
    let key = Key(namespace: namespace, name: name)
    if isBuiltin(key) {
      diagnostics.append(
        Diagnostic(
          .duplicateDeclaration, at: node.name.span,
          "`\(node.name.text)` is built into SQLite, so it can't be declared; use another name"))
      return
    }
    if let first = places[key] {
      let isSameFile = first.path == path
      diagnostics.append(
        Diagnostic(
          .duplicateDeclaration, at: node.name.span, "`\(node.name.text)` is already declared",
          notes: [
            isSameFile
              ? .init("first declared here", at: first.span)
              : .init("first declared in \(first.path)")
          ]))
      return
    }
    places[key] = (path, place ?? node.name.span)
    var reader = DeclarationReader(node: node, source: source)
    switch namespace {
    case .function: functions[name] = reader.function()
    case .collation: collations[name] = reader.collation()
    case .module: modules[name] = reader.module()
    }
    for diagnostic in reader.diagnostics { diagnostics.append(diagnostic) }
  }

  /// Adds the declarations of an attached database, after those of the database itself.
  ///
  /// - Parameters:
  ///   - other: The declarations of the attached database.
  ///   - path: The attached database's path, for messages.
  /// - Returns: The names that are declared differently. Equal declarations are no conflict.
  public mutating func add(_ other: Declarations, path: String) -> [String] {
    var conflicts: [String] = []
    func isNew<Definition: Hashable>(
      _ definition: Definition, _ name: String, _ namespace: Namespace,
      among known: [NameKey: Definition], documentation: WritableKeyPath<Definition, String?>
    ) -> Bool {
      let key = Key(namespace: namespace, name: NameKey(name))
      guard var first = known[key.name] else {
        places[key] = (path, ByteSpan(0..<0))
        return true
      }
      first[keyPath: documentation] = definition[keyPath: documentation]
      if first != definition { conflicts.append(name) }
      return false
    }
    for item in other.functions
    where isNew(item, item.name, .function, among: functions, documentation: \.documentation) {
      functions[NameKey(item.name)] = item
    }
    for item in other.collations
    where isNew(item, item.name, .collation, among: collations, documentation: \.documentation) {
      collations[NameKey(item.name)] = item
    }
    for item in other.modules
    where isNew(item, item.name, .module, among: modules, documentation: \.documentation) {
      modules[NameKey(item.name)] = item
    }
    return conflicts
  }

  private func isBuiltin(_ key: Key) -> Bool {
    switch key.namespace {
    case .function:
      // SQLite's `match()` only reports that `MATCH` is not supported.
      key.name != "match" && builtin.functions.names.contains(key.name.folded)
    case .collation: builtin.collations.contains(key.name)
    case .module: Self.modules.contains(key.name) || TableFunctions.find(key.name) != nil
    }
  }

  /// The modules of SQLite that `CREATE VIRTUAL TABLE` can use.
  private static let modules: Set<NameKey> = [
    "fts3", "fts4", "fts5", "fts5vocab", "fts4aux", "fts3tokenize", "rtree", "rtree_i32", "geopoly",
    "dbstat",
  ]
}

/// Creates the model of one declaration.
private struct DeclarationReader {
  let node: Declaration
  let source: SourceText
  var diagnostics: [Diagnostic] = []

  init(node: Declaration, source: SourceText) {
    self.node = node
    self.source = source
  }

  mutating func function() -> FunctionDefinition {
    checkNames("parameter")
    checkOrder()
    let name = node.name.text
    let parameters = node.parameters.map { parameter in
      FunctionParameter(
        column(parameter, origin: TableColumn(function: name, value: parameter.column.name.text)),
        defaultValue: defaultValue(of: parameter), isVariadic: parameter.isVariadic)
    }
    let type = node.result.map { source[$0.type.span] }
    let result = QueryModel.ColumnDefinition(
      name: "result", type: type.map { ValueType(declaredType: $0) } ?? .any,
      isNullable: !(node.result?.isNotNull ?? false), declaredType: type,
      annotation: annotation(node.result?.annotation),
      origins: [TableColumn(function: name, value: "result")])
    return FunctionDefinition(
      name: name,
      kind: node.kind == .aggregate ? .aggregate : node.kind == .window ? .window : .scalar,
      parameters: parameters, result: result, returnsNullOnNull: has(.returnsNull),
      isDeterministic: has(.deterministic), isInnocuous: has(.innocuous),
      isDirectOnly: has(.directonly), isInExtension: has(.extension), documentation: documentation)
  }

  func collation() -> CollationDefinition {
    CollationDefinition(
      name: node.name.text, isInExtension: has(.extension), documentation: documentation)
  }

  mutating func module() -> ModuleDefinition {
    checkNames("column")
    let kind: ModuleDefinition.Kind =
      has(.eponymousOnly) ? .eponymousOnly : has(.eponymous) ? .eponymous : .created
    if node.takesColumns, kind != .created {
      report(
        node.span,
        "an eponymous module has no arguments that could define columns; remove the \"*\"")
    } else if !node.takesColumns, node.parameters.allSatisfy(\.isHidden) {
      report(node.span, "a module needs at least one column that is not HIDDEN")
    }
    return ModuleDefinition(
      name: node.name.text, kind: kind,
      columns: node.parameters.map { .init(column($0), isHidden: $0.isHidden) },
      takesColumns: node.takesColumns, isReadOnly: has(.readonly), isInnocuous: has(.innocuous),
      isDirectOnly: has(.directonly), isInExtension: has(.extension), documentation: documentation)
  }

  private func has(_ attribute: Declaration.Attribute) -> Bool {
    node.attributes[attribute] != nil
  }

  private var documentation: String? {
    node.documentation.contains { !$0.isEmpty } ? node.documentation.joined(separator: "\n") : nil
  }

  private mutating func column(
    _ parameter: Declaration.Parameter, origin: TableColumn? = nil
  ) -> QueryModel.ColumnDefinition {
    let type = parameter.column.type.map { source[$0.span] }
    let isNotNull = parameter.column.constraints.contains { constraint in
      switch constraint.kind {
      case .notNull, .primaryKey: true
      default: false
      }
    }
    return QueryModel.ColumnDefinition(
      name: parameter.column.name.text, type: type.map { ValueType(declaredType: $0) } ?? .any,
      isNullable: !isNotNull, declaredType: type, annotation: annotation(parameter.annotation),
      origins: origin.map { [$0] } ?? [])
  }

  private mutating func annotation(_ span: ByteSpan?) -> ColumnAnnotation? {
    guard let span else { return nil }
    if let annotation = ColumnAnnotation(written: Substring(source[span])) { return annotation }
    report(
      span, "expected a Swift type after AS, optionally followed by USING and a format")
    return nil
  }

  private mutating func defaultValue(
    of parameter: Declaration.Parameter
  ) -> FunctionParameter.Literal? {
    for constraint in parameter.column.constraints {
      guard case .default(let value) = constraint.kind else { continue }
      if let literal = FunctionParameter.Literal(value) { return literal }
      report(
        constraint.span, "the default value must be a number, a string, a BLOB, a Boolean or NULL")
    }
    return nil
  }

  private mutating func checkNames(_ kind: String) {
    var names: Set<NameKey> = []
    for parameter in node.parameters
    where !names.insert(NameKey(parameter.column.name.text)).inserted {
      report(
        parameter.column.name.span,
        "there already is a \(kind) named `\(parameter.column.name.text)`")
    }
  }

  private mutating func checkOrder() {
    var hasDefault = false
    for (index, parameter) in node.parameters.enumerated() {
      let isOptional = parameter.column.constraints.contains {
        if case .default = $0.kind { true } else { false }
      }
      if parameter.isVariadic {
        if index + 1 < node.parameters.count {
          report(parameter.column.span, "only the last parameter can be VARIADIC")
        }
      } else if hasDefault, !isOptional {
        report(
          parameter.column.span,
          "a parameter after one with a DEFAULT needs a DEFAULT as well, because arguments can only "
            + "be omitted at the end")
      }
      hasDefault = hasDefault || isOptional
    }
    if node.parameters.count > Parser.maximumArgumentCount {
      report(node.span, "a function has at most \(Parser.maximumArgumentCount) parameters")
    }
  }

  private mutating func report(_ span: ByteSpan, _ message: String) {
    diagnostics.append(Diagnostic(.malformedDeclaration, at: span, message))
  }
}

extension FunctionParameter.Literal {
  /// Reads a default value; `nil` if it is neither a literal nor a Boolean.
  fileprivate init?(_ value: DefaultValue) {
    switch value {
    case .literal(let expression): self.init(expression)
    case .identifier(let word) where word.matches("true"): self = .integer(1)
    case .identifier(let word) where word.matches("false"): self = .integer(0)
    case .identifier, .expression: return nil
    }
  }

  /// Reads a literal, which may have a sign; `nil` for the current time.
  fileprivate init?(_ expression: Expression) {
    switch expression {
    case .literal(let node):
      switch node.value {
      case .null: self = .null
      case .integer, .real:
        if let value = node.value.integerValue {
          self = .integer(value)
        } else {
          self = .real(node.value.realValue ?? 0)
        }
      case .string(let text): self = .text(text)
      case .blob(let bytes): self = .blob(bytes)
      case .currentTime, .currentDate, .currentTimestamp: return nil
      }
    case .unary(let node):
      guard let operand = Self(node.operand) else { return nil }
      switch (node.op, operand) {
      case (.minus, .integer(let value)): self = .integer(0 &- value)
      case (.minus, .real(let value)): self = .real(-value)
      default: self = operand
      }
    default: return nil
    }
  }
}
