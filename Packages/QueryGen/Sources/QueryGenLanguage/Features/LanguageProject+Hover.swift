internal import Primitives
internal import QueryGenDriver
internal import QueryModel
internal import SQLSemantics
public import SQLSyntax
public import SwiftEmitter

/// A description of the object at a place, in Markdown.
public struct HoverText: Hashable, Sendable {
  public var markdown: String
  public var span: ByteSpan
}

extension LanguageProject {
  /// Returns a description of the name at an offset.
  public mutating func hover(_ path: String, at offset: ByteOffset) -> HoverText? {
    let trace = trace(path)
    for entry in trace.entries {
      guard let query = entry.query, query.name.span.start <= offset,
        offset <= query.name.span.end
      else { continue }
      return HoverText(markdown: description(of: query, path), span: query.name.span)
    }
    guard let entry = trace.entry(at: offset) else { return nil }
    if let parameter = entry.trace.parameter(at: offset),
      let span = parameter.spans.first(where: { $0.start <= offset && offset <= $0.end })
    {
      return HoverText(markdown: description(of: parameter), span: span)
    }
    guard let reference = entry.trace.reference(at: offset) else { return nil }
    let spelling = trace.source.unquoted(reference.span)
    return HoverText(
      markdown: description(of: reference, spelling, entry.trace), span: reference.span)
  }

  private func table(_ name: String) -> QueryModel.TableDefinition? {
    compilation.project.tables.first { $0.name.asciiLowercased == name.asciiLowercased }
  }

  private var emitter: SwiftEmitter { SwiftEmitter(options: input.configuration.generation) }

  // MARK: Queries

  /// Returns the generated declarations of a file's queries, by the queries' names.
  public func signatures(at index: Int) -> [String: SwiftSignature] {
    let queries = compilation.definitions(at: index)
    let signatures = emitter.signatures(of: queries, tables: compilation.project.tables)
    guard queries.count == signatures.count else { return [:] }
    return Dictionary(
      zip(queries.map(\.name), signatures), uniquingKeysWith: { first, _ in first })
  }

  private func description(of query: NamedQuery, _ path: String) -> String {
    guard case .queries(let index) = kind(of: path),
      let definition = compilation.definitions(at: index).first(where: {
        $0.name == query.name.text
      })
    else { return "The query `\(query.name.text)` has errors." }
    var text = ""
    if let signature = signatures(at: index)[definition.name] {
      text = "```swift\n\(signature.text)\n```"
      if !signature.row.isEmpty {
        let fields = signature.row.map { "  let \($0.name): \($0.type)" }.joined(separator: "\n")
        text += "\n```swift\nstruct Row {\n\(fields)\n}\n```"
      }
    }
    if let documentation = definition.documentation { text += "\n\n\(documentation)" }
    text += "\n\nReturns \(definition.cardinality.words)."
    let reads = definition.reads.map { access in
      access.columns.isEmpty
        ? "`\(access.table)`" : "`\(access.table)` (\(access.columns.joined(separator: ", ")))"
    }
    if !reads.isEmpty { text += "\n\nReads \(reads.joined(separator: ", "))." }
    if !definition.writes.isEmpty {
      text += "\n\nWrites \(definition.writes.map { "`\($0)`" }.joined(separator: ", "))."
    }
    if let plan = planText(of: definition.name, in: path) {
      text += "\n\nPlan:\n```\n\(plan)\n```"
    }
    return text
  }

  // MARK: Names

  private func description(
    of reference: NameReference, _ spelling: String, _ trace: StatementTrace
  ) -> String {
    switch reference.target {
    case .table(let name): return tableDescription(name)
    case .column(let table, let column):
      return columnDescription(reference, table: table, column: column)
    case .function(let name): return functionDescription(name)
    case .row(let name):
      return name == "excluded"
        ? "The row that conflicts with an existing one, as it would have been inserted."
        : "The row \(name == "new" ? "after" : "before") the change that fires the trigger."
    case .collation(let name): return "The collation `\(name)`."
    case .local:
      switch reference.role {
      case .commonTable:
        let columns =
          trace.scopes.lazy.flatMap(\.sources).first {
            $0.label.asciiLowercased == spelling.asciiLowercased
          }?.columns ?? []
        return "The common table `\(spelling)`" + Self.list(columns)
      case .alias:
        let source = trace.scopes.lazy.flatMap(\.sources).first {
          $0.label.asciiLowercased == spelling.asciiLowercased
        }
        if let table = source?.table {
          return "An alias of `\(table)`\n\n\(tableDescription(table))"
        }
        return "An alias" + Self.list(source?.columns ?? [])
      case .window: return "The window `\(spelling)`."
      case .resultAlias:
        let column = trace.columns.first { $0.name.asciiLowercased == spelling.asciiLowercased }
        return "The result column `\(spelling)`"
          + (column.map { ": \($0.type.nameInSQL)\($0.isNullable ? ", may be `NULL`" : "")" } ?? "")
      default:
        let type = reference.type.map { ": \($0.nameInSQL)" } ?? ""
        return "The column `\(spelling)`\(type)\(Self.nullability(of: reference))"
      }
    }
  }

  private static func list(_ columns: [StatementTrace.VisibleColumn]) -> String {
    guard !columns.isEmpty else { return "." }
    return ":\n\n"
      + columns.map { column in
        "- `\(column.name)` \(column.type?.nameInSQL ?? "")\(column.isNullable ? ", may be `NULL`" : "")"
      }.joined(separator: "\n")
  }

  private static func nullability(of reference: NameReference) -> String {
    guard reference.isNullable else { return ", never `NULL`" }
    return reference.outerJoined.map { label in
      ", `NULL` if the outer join finds no row of `\(label)`"
    } ?? ", may be `NULL`"
  }

  private func tableDescription(_ name: String) -> String {
    guard
      let statement = catalog.statements().first(where: {
        $0.name.asciiLowercased == name.asciiLowercased && $0.kind != .index && $0.kind != .trigger
      })
    else { return "The table-valued function or system table `\(name)`." }
    let formatter = SQLFormatter(options: input.configuration.format)
    var sql = statement.sql + ";\n"
    if case .formatted(let text) = formatter.format(Array(sql.utf8), path: "schema") {
      sql = String(decoding: text, as: UTF8.self)
    }
    let documentation = statement.documentation.map { "\n\n\($0)" } ?? ""
    return "```sql\n\(sql)```\(documentation)"
  }

  private func columnDescription(
    _ reference: NameReference, table name: String, column: String
  ) -> String {
    guard let table = table(name),
      let found = table.columns.first(where: {
        $0.name.asciiLowercased == column.asciiLowercased
      })
    else {
      let type = reference.type.map { ": \($0.nameInSQL)" } ?? ""
      return "The column `\(column)` of `\(name)`\(type)\(Self.nullability(of: reference))"
    }
    var text = "```sql\n\(table.name).\(found.name)"
    if let type = found.declaredType { text += " \(type)" }
    text += "\n```\n"
    let swiftType = emitter.columnTypes(of: table, tables: compilation.project.tables)
      .first { $0.column == found.name }?.type
    if let swiftType { text += "Swift type: `\(swiftType)`" }
    // Every use describes the nullability at its place.
    text +=
      reference.isDeclaration
      ? (found.isNullable ? ", may be `NULL`" : ", never `NULL`")
      : Self.nullability(of: reference)
    if let documentation = found.documentation { text += "\n\n\(documentation)" }
    return text
  }

  /// Returns the description of a table, view or function for a completion.
  public func documentation(ofTableOrFunction name: String) -> String? {
    if table(name) != nil { return tableDescription(name) }
    return catalog.functionDescriptions(named: name).isEmpty ? nil : functionDescription(name)
  }

  private func functionDescription(_ name: String) -> String {
    let functions = catalog.functionDescriptions(named: name)
    let signatures = functions.map { function in
      function.signature + (function.type.map { " -> \($0.nameInSQL)" } ?? "")
    }
    var text = "```sql\n\(signatures.joined(separator: "\n"))\n```"
    if let first = functions.first {
      text +=
        first.isDeclared
        ? "\nA declared \(first.kind.rawValue)." : "\nA built-in \(first.kind.rawValue) of SQLite."
      if let documentation = first.documentation { text += "\n\n" + documentation }
    }
    if let since = functions.compactMap(\.since).min() { text += " Since SQLite \(since)." }
    return text
  }

  private func description(of parameter: StatementTrace.Parameter) -> String {
    var text = "The parameter \(parameter.name.map { "`\($0)`" } ?? "\(parameter.index)"): "
    guard parameter.columns.isEmpty else {
      let columns = parameter.columns.map { column in
        "- `\(column.name)`: \(column.type.nameInSQL)"
          + (column.isNullable ? ", may be `NULL`" : ", never `NULL`")
      }
      return text + (parameter.isList ? "a list of rows" : "a row") + " with the values\n\n"
        + columns.joined(separator: "\n")
    }
    text += parameter.isList ? "a list of \(parameter.type.nameInSQL)" : parameter.type.nameInSQL
    text += parameter.isNullable ? ", may be `NULL`" : ", never `NULL`"
    if !parameter.origins.isEmpty {
      let columns = parameter.origins.map { "`\($0.table).\($0.column)`" }.joined(separator: ", ")
      text += "\n\nUsed as \(columns)."
    }
    return text
  }
}

extension Cardinality {
  /// The number of rows as words.
  fileprivate var words: String {
    switch self {
    case .none: "no rows, but the number of changed rows or the last key"
    case .one: "exactly one row"
    case .optional: "at most one row"
    case .many: "any number of rows"
    }
  }
}
