internal import SQLSyntax

extension Catalog {
  /// A statement of the schema, as it reads after all that changed it.
  public struct SchemaStatement: Hashable, Sendable {
    public enum Kind: Int, Hashable, Sendable, Comparable {
      case table, index, view, virtualTable, trigger

      public static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
    }

    public var kind: Kind
    /// The name of what it makes.
    public var name: String
    /// The comment above its definition, without its markers.
    public var documentation: String?
    /// The statement, without a `;`.
    public var sql: String
  }

  /// The statements that make `main`, in an order in which SQLite accepts them: by kind, then by name.
  ///
  /// Each makes what the migrations have led to, whatever statements that were; `IF NOT EXISTS` and the
  /// name of the schema are left out, as SQLite leaves them out.
  public func statements() -> [SchemaStatement] {
    guard let database = self[database: "main"] else { return [] }
    let tables = database.tables.values.compactMap { $0.statement(parserOptions) }
    let indexes = database.indexes.values.compactMap { index -> SchemaStatement? in
      guard let stored = index.definition else { return nil }
      return SchemaStatement(
        kind: .index, name: index.name,
        sql: stored.source.rewritten(
          stored.node.isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX", index.name,
          after: stored.node.name.name.span, until: stored.node.span))
    }
    let triggers = database.triggers.values.map { trigger in
      SchemaStatement(
        kind: .trigger, name: trigger.name,
        sql: trigger.definition.source.rewritten(
          "CREATE TRIGGER", trigger.name, after: trigger.definition.node.name.name.span,
          until: trigger.definition.node.span))
    }
    return (tables + indexes + triggers).sorted { ($0.kind, $0.name) < ($1.kind, $1.name) }
  }
}

extension Table {
  fileprivate func statement(_ options: ParserOptions) -> Catalog.SchemaStatement? {
    switch kind {
    case .table:
      guard let text = definitionText(options) else { return nil }
      return Catalog.SchemaStatement(
        kind: .table, name: name, documentation: documentation,
        sql: SourceText(bytes: text.bytes).rewritten(
          "CREATE TABLE", name, after: text.nameSpan, until: ByteSpan(0..<text.bytes.count)))
    case .view(let stored):
      return Catalog.SchemaStatement(
        kind: .view, name: name, documentation: documentation,
        sql: stored.source.rewritten(
          "CREATE VIEW", name, after: stored.node.name.name.span, until: stored.node.span))
    case .virtual(_, let stored):
      return Catalog.SchemaStatement(
        kind: .virtualTable, name: name, documentation: documentation,
        sql: stored.source.rewritten(
          "CREATE VIRTUAL TABLE", name, after: stored.node.name.name.span, until: stored.node.span))
    case .system, .shadow, .function: return nil
    }
  }
}

extension SourceText {
  /// A statement with its words up to the name put in their plain form.
  fileprivate func rewritten(
    _ words: String, _ name: String, after nameSpan: ByteSpan, until span: ByteSpan
  ) -> String {
    let tokens = Lexer.tokenize(SourceText(name)).tokens
    let isWord =
      tokens.count == 2 && tokens[0].kind == .identifier && !"\"`['".contains(name.first ?? "\"")
    return "\(words) \(isWord ? name : name.quotedName)"
      + self[ByteSpan(nameSpan.end, max(nameSpan.end, span.end))]
  }
}
