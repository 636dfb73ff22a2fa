internal import Primitives
internal import QueryGenDriver
internal import QueryModel
public import SQLSyntax

/// A declaration in a file.
public struct Symbol: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case query, table, view, index, trigger, column, parameter
  }

  public var name: String
  public var kind: Kind
  public var detail: String?
  public var span: ByteSpan
  public var nameSpan: ByteSpan
  public var children: [Symbol] = []
}

/// A symbol and its file.
public struct LocatedSymbol: Hashable, Sendable {
  public var symbol: Symbol
  public var path: String
  /// The name of the table or of the query that contains the symbol.
  public var container: String?

  public init(symbol: Symbol, path: String, container: String? = nil) {
    self.symbol = symbol
    self.path = path
    self.container = container
  }
}

extension LanguageProject {
  /// Returns the queries of a query file, or the objects that a migration creates and changes.
  public mutating func symbols(of path: String) -> [Symbol] {
    switch kind(of: path) {
    case .queries(let index): queries(at: index).map { symbol(of: $0) }
    case .migration(let index): statements(at: index).compactMap { Symbol($0.statement) }
    case .other, nil: []
    }
  }

  private func symbol(of query: NamedQuery) -> Symbol {
    Symbol(
      name: query.name.text, kind: .query,
      detail: query.statements.map(\.summary).joined(separator: "; "),
      span: query.span,
      nameSpan: query.name.span)
  }

  /// Returns the symbols of all files whose names contain the letters of a pattern in order, the
  /// best match first.
  public mutating func symbols(matching pattern: String) -> [LocatedSymbol] {
    var found: [(score: Int, symbol: LocatedSymbol)] = []
    let pattern = Array(pattern.asciiLowercased.utf8)
    for path in paths {
      for symbol in symbols(of: path) {
        if let score = Self.score(symbol.name, pattern) {
          found.append((score, LocatedSymbol(symbol: symbol, path: path)))
        }
        for child in symbol.children {
          guard let score = Self.score(child.name, pattern) else { continue }
          found.append(
            (score + 1, LocatedSymbol(symbol: child, path: path, container: symbol.name)))
        }
      }
    }
    return found.enumerated()
      .sorted { ($0.element.score, $0.offset) < ($1.element.score, $1.offset) }
      .map(\.element.symbol)
  }

  /// Returns the number of letters that a name has in addition to a pattern; `nil` if the name does
  /// not contain the pattern's letters in order.
  private static func score(_ name: String, _ pattern: [UInt8]) -> Int? {
    var next = 0
    for letter in name.asciiLowercased.utf8 where next < pattern.count && letter == pattern[next] {
      next += 1
    }
    return next == pattern.count ? name.utf8.count - pattern.count : nil
  }
}

extension Symbol {
  /// Creates the symbol that a migration's statement declares.
  fileprivate init?(_ statement: Statement) {
    switch statement {
    case .createTable(let node):
      self.init(name: node.name.name, kind: .table, span: node.span)
      if case .definition(let definition) = node.body {
        children = definition.columns.map { Symbol($0) }
      }
    case .createVirtualTable(let node):
      self.init(name: node.name.name, kind: .table, span: node.span)
      detail = "virtual table"
    case .createView(let node):
      self.init(name: node.name.name, kind: .view, span: node.span)
      detail = "view"
      children = node.columns.map { Symbol(name: $0, kind: .column, span: $0.span) }
    case .createIndex(let node):
      self.init(name: node.name.name, kind: .index, span: node.span)
      detail = "index on \(node.table.text)"
    case .createTrigger(let node):
      self.init(name: node.name.name, kind: .trigger, span: node.span)
      detail = "trigger on \(node.table.name.text)"
    case .alterTable(let node):
      switch node.action {
      case .addColumn(let column):
        self.init(column)
        detail = "column of \(node.table.name.text)"
      case .rename(let name):
        self.init(name: name, kind: .table, span: node.span)
        detail = "formerly \(node.table.name.text)"
      case .renameColumn(let old, let name):
        self.init(name: name, kind: .column, span: node.span)
        detail = "formerly \(old.text)"
      default: return nil
      }
    default: return nil
    }
  }

  private init(name: Identifier, kind: Kind, span: ByteSpan) {
    self.init(name: name.text, kind: kind, span: span, nameSpan: name.span)
  }

  private init(_ column: SQLSyntax.ColumnDefinition) {
    self.init(name: column.name, kind: .column, span: column.span)
    detail = column.type?.name
  }
}

extension Statement {
  /// The first word of the statement.
  var summary: String {
    switch self {
    case .select: "SELECT"
    case .insert(let node): "INSERT INTO \(node.table.name.name.text)"
    case .update(let node): "UPDATE \(node.table.name.name.text)"
    case .delete(let node): "DELETE FROM \(node.table.name.name.text)"
    default: "statement"
    }
  }
}
