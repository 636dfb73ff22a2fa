internal import QueryGenDriver
public import SQLSemantics
public import SQLSyntax

/// A file's statements with the names in them resolved.
public struct FileTrace: Sendable {
  public struct Entry: Sendable {
    public var trace: StatementTrace
    /// The name of the query, in a query file.
    public var query: NamedQuery?
    /// The statement with its header.
    public var span: ByteSpan
    /// Indicates whether the statement is the last of its query, or the only one.
    public var isLast = true
  }

  var source: SourceText
  /// The fingerprint of the schema against which the file was resolved.
  var schema: Int
  public var entries: [Entry] = []

  /// Returns the statement that contains or ends at an offset.
  public func entry(at offset: ByteOffset) -> Entry? {
    entries.last { $0.span.start <= offset && offset <= $0.span.end }
  }
}

extension LanguageProject {
  /// Returns the resolved statements of a file. They are cached until the file or the schema
  /// changes.
  public mutating func trace(_ path: String) -> FileTrace {
    replay()
    guard let kind = kind(of: path), let source = file(path)?.source else {
      return FileTrace(source: SourceText(""), schema: 0)
    }
    var schema = schemaFingerprint
    if case .migration(let index) = kind {
      schema = schemaFingerprint(beforeMigration: index)
    }
    if let known = traces[path], known.schema == schema, known.source == source { return known }
    var trace = FileTrace(source: source, schema: schema)
    switch kind {
    case .queries(let index):
      let catalog = catalog
      for query in queries(at: index) {
        let traces = catalog.trace(query.statements, source: source)
        for (number, found) in traces.enumerated() {
          let span = found.statement.span
          let isLast = number == traces.count - 1
          trace.entries.append(
            FileTrace.Entry(
              trace: found, query: query,
              span: ByteSpan(
                number == 0 ? query.span.start : span.start, isLast ? query.span.end : span.end),
              isLast: isLast))
        }
      }
    case .migration(let index):
      var catalog = catalog(beforeMigration: index)
      var ignored = DiagnosticList()
      for entry in statements(at: index) {
        trace.entries.append(
          FileTrace.Entry(
            trace: catalog.trace(entry.statement, source: source), query: nil,
            span: entry.statement.span))
        catalog.apply(entry.statement, source: source, diagnostics: &ignored)
      }
    case .other: break
    }
    traces[path] = trace
    return trace
  }
}
