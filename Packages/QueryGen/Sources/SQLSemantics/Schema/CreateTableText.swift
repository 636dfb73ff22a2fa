internal import QueryModel
internal import SQLSyntax

/// The text of a `CREATE TABLE` statement, which alterations of the table rewrite.
struct CreateTableText {
  var bytes: [UInt8]
  /// The definition whose spans refer to the text.
  let definition: SQLSyntax.TableDefinition
  /// The span of the table's own name.
  let nameSpan: ByteSpan

  /// Returns the text without one of its columns.
  func removingColumn(_ index: Int) -> [UInt8] {
    let columns = definition.columns
    guard columns.indices.contains(index), columns.count > 1 else { return bytes }
    var result = bytes
    if index > 0 {
      // Starts at the end of the previous column, to remove the comma too.
      result.removeSubrange(
        columns[index - 1].span.end.value..<columns[index].span.end.value)
    } else {
      result.removeSubrange(columns[0].span.start.value..<columns[1].span.start.value)
    }
    return result
  }
}

extension Table {
  /// Returns the table with a column that `ALTER TABLE` adds, or `nil` if the column's definition has
  /// an error.
  ///
  /// The existing columns are not resolved again, except if the column is generated, since it may
  /// depend on any of them.
  func adding(
    _ column: SQLSyntax.ColumnDefinition, _ text: String, _ catalog: Catalog, _ source: SourceText
  ) -> Table? {
    var table = self
    table.addedColumns.append(text)
    guard case .table(let stored) = kind, case .definition = stored.node.body,
      !column.isGenerated
    else {
      return table.rebuilt(catalog, \.bytes)
    }
    var resolver = Resolver(catalog: catalog, source: source)
    var builder = TableBuilder(table)
    builder.add(column, &resolver)
    guard !resolver.diagnostics.contains(where: { $0.severity == .error }) else { return nil }
    table = builder.table
    table.recordAllowedValues(column)
    return table
  }

  /// Returns the table that the statement rewritten by `change` creates, or `nil` if that statement
  /// has an error. Keys of unique indexes are preserved.
  func rebuilt(_ catalog: Catalog, _ change: (CreateTableText) -> [UInt8]) -> Table? {
    guard let text = definitionText(catalog.parserOptions) else { return nil }
    return rebuilt(catalog, from: change(text))
  }

  func rebuilt(_ catalog: Catalog, from bytes: [UInt8]) -> Table? {
    let source = SourceText(bytes: bytes)
    var diagnostics = DiagnosticList()
    guard
      case .createTable(let node) = Parser.parseStatement(
        source, options: catalog.parserOptions, diagnostics: &diagnostics),
      !diagnostics.hasErrors
    else { return nil }
    var resolver = Resolver(catalog: catalog, source: source)
    var table = resolver.makeTable(node, database: database, documentation: [])
    guard !resolver.diagnostics.contains(where: { $0.severity == .error }) else { return nil }
    table.documentation = documentation
    table.copyColumnComments(of: self)
    for key in keys where key.index != nil {
      var key = key
      for part in key.parts.indices {
        guard let column = key.parts[part].column else { continue }
        key.parts[part].column =
          column < columns.count && columns.count == table.columns.count
          ? column : table.index(of: columns[column].key)
      }
      table.keys.append(key)
    }
    return table
  }

  /// Returns the text of the table's definition. As in SQLite, a table created by `AS SELECT` gets
  /// a definition with a column list.
  func definitionText(_ options: ParserOptions) -> CreateTableText? {
    guard case .table(let stored) = kind else { return nil }
    var bytes: [UInt8]
    if case .definition(let definition) = stored.node.body {
      bytes = Array(
        stored.source.bytes[stored.node.span.range.clamped(to: 0..<stored.source.byteCount)])
      if let last = definition.columns.last, !addedColumns.isEmpty {
        let added = addedColumns.map { ", " + $0 }.joined()
        bytes.insert(
          contentsOf: added.utf8, at: last.span.end.value - stored.node.span.start.value)
      }
    } else {
      let list =
        (columns.map { "\($0.name.quotedName) \($0.declaredType)" } + addedColumns)
        .joined(separator: ", ")
      bytes = Array("CREATE TABLE \(name.quotedName)(\(list))".utf8)
    }
    let source = SourceText(bytes: bytes)
    var diagnostics = DiagnosticList()
    guard
      case .createTable(let node) = Parser.parseStatement(
        source, options: options, diagnostics: &diagnostics),
      case .definition(let definition) = node.body
    else { return nil }
    return CreateTableText(
      bytes: bytes, definition: definition, nameSpan: node.name.name.span)
  }
}

extension String {
  /// The name, in double quotes if it is a keyword or not a plain identifier.
  public var nameInSQL: String {
    let tokens = Lexer.tokenize(SourceText(self)).tokens
    let isWord =
      tokens.count == 2 && tokens[0].kind == .identifier && !"\"`['".contains(first ?? "\"")
    return isWord ? self : quotedName
  }

  /// The name in double quotes.
  var quotedName: String {
    "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }
}

extension SQLSyntax.ColumnDefinition {
  var isGenerated: Bool {
    constraints.contains { if case .generated = $0.kind { true } else { false } }
  }
}
