internal import QueryModel
public import SQLSemantics
internal import SQLSyntax

/// A cache of analyzed migrations and queries, for a project that is checked after every edit.
///
/// A script is replayed again if its text or the text of an earlier script has changed. A
/// query is analyzed again if its text has changed, or if a table, view, index or trigger has
/// changed whose name occurs in its text, directly or through other views and triggers.
public struct AnalysisCache: Sendable {
  /// The result of analyzing a query. Spans are relative to the start of the query.
  struct QueryResult: Sendable {
    var definition: QueryDefinition?
    var diagnostics: [Diagnostic]
  }

  /// The analyzed text of a query.
  struct QueryKey: Hashable, Sendable {
    /// The query's text up to the next query, since a result column can be named after the comments
    /// that follow the statement.
    var text: SourceText
    var documentation: [String]
  }

  /// A query's result, and the names on which it depends.
  struct QueryEntry: Sendable {
    /// The names; `nil` if the query depends on the whole schema.
    let names: [String]?
    var fingerprint: Int
    /// The fingerprint of the schema's names, which error messages suggest.
    var nameFingerprint: Int
    var result: QueryResult
  }

  /// The result of analyzing a file.
  struct FileResult: Sendable {
    var source: SourceText
    var schema: Int
    var queries: [QueryDefinition] = []
    var spans: [ByteSpan] = []
    var diagnostics: [Diagnostic] = []
    fileprivate(set) var entries: [QueryKey: QueryEntry] = [:]
  }

  private var target: SQLiteVersion?
  private var declarations = Declarations()
  /// The replayed scripts, and the scripts of the attached databases by path.
  private var scripts = ReplayLog()
  private var attached: [String: ReplayLog] = [:]
  /// The fingerprint of the attached schemas.
  private var attachedFingerprint: Int?
  private var files: [String: FileResult] = [:]
  /// The fingerprints of the schema's objects after the last migration.
  private(set) var fingerprints = CatalogFingerprints(Catalog())
  /// The number of queries that were analyzed, rather than found in the cache.
  public private(set) var analyzedQueryCount = 0

  public init() {}

  /// A number that changes if the schema changes.
  public var schemaFingerprint: Int { fingerprints.whole }

  /// Returns the schema after one of the migrations; `nil` if it was not replayed.
  public func catalog(after index: Int) -> Catalog? {
    scripts.replays.indices.contains(index) ? scripts.replays[index].catalog : nil
  }

  /// Drops everything if the target or the declared functions, collations and modules have changed.
  mutating func begin(target: SQLiteVersion, _ declarations: Declarations) {
    guard self.target != target || self.declarations != declarations else { return }
    self = AnalysisCache()
    self.target = target
    self.declarations = declarations
  }

  /// Replays a script, or returns the diagnostics of an earlier replay.
  ///
  /// - Parameter database: The folder of the attached database to which the script belongs, if any.
  mutating func replay(
    _ source: SourceText, at position: Int, of database: String? = nil, on catalog: inout Catalog,
    _ apply: (inout Catalog) -> [Diagnostic]
  ) -> [Diagnostic] {
    guard let database else { return scripts.replay(source, at: position, on: &catalog, apply) }
    return attached[database, default: ReplayLog()].replay(
      source, at: position, on: &catalog, apply)
  }

  /// Drops the replays of scripts from a position on if the attached schemas have changed.
  ///
  /// - Parameter fingerprint: The fingerprint of the attached schemas.
  mutating func attach(_ fingerprint: Int, at position: Int) {
    if attachedFingerprint != fingerprint { scripts.removeAll(from: position) }
    attachedFingerprint = fingerprint
  }

  /// Ends the replay of `count` scripts.
  mutating func finishReplay(count: Int, _ catalog: Catalog) {
    scripts.removeAll(from: count)
    fingerprints = CatalogFingerprints(catalog)
  }

  /// Returns the result of a file, if neither the file nor the schema has changed.
  func result(of path: String, _ source: SourceText) -> FileResult? {
    guard let known = files[path], known.schema == fingerprints.whole, known.source == source
    else { return nil }
    return known
  }

  mutating func keep(_ result: FileResult, of path: String) { files[path] = result }

  /// Returns the result of a query of a file, which is analyzed unless it is cached.
  ///
  /// - Parameter dependsOnSchema: Whether the query depends on the whole schema, rather than only on
  ///   the objects that it names. `ALTER TABLE` checks all views and triggers.
  mutating func result(
    of key: QueryKey, in file: inout FileResult, path: String, dependsOnSchema: Bool,
    _ analyze: () -> QueryResult
  ) -> QueryResult {
    let schemaNames = fingerprints.names
    if let entry = file.entries[key] ?? files[path]?.entries[key],
      entry.fingerprint == fingerprint(of: entry.names),
      entry.result.diagnostics.isEmpty || entry.nameFingerprint == schemaNames
    {
      file.entries[key] = entry
      return entry.result
    }
    analyzedQueryCount += 1
    let names =
      dependsOnSchema ? nil : CatalogFingerprints.names(in: key.text)
    let result = analyze()
    file.entries[key] = QueryEntry(
      names: names, fingerprint: fingerprint(of: names),
      nameFingerprint: schemaNames, result: result)
    return result
  }

  private func fingerprint(of names: [String]?) -> Int {
    names.map { fingerprints.fingerprint(of: $0) } ?? fingerprints.whole
  }

  /// Drops the results of files that no longer exist.
  public mutating func removeFiles(except paths: some Sequence<String>) {
    let paths = Set(paths)
    files = files.filter { paths.contains($0.key) }
  }
}

/// The replayed scripts of a database, in execution order.
struct ReplayLog: Sendable {
  struct Replay: Sendable {
    var source: SourceText
    var diagnostics: [Diagnostic]
    /// The schema after the script.
    var catalog: Catalog
  }

  private(set) var replays: [Replay] = []

  /// Replays a script, or returns the diagnostics of an earlier replay.
  mutating func replay(
    _ source: SourceText, at position: Int, on catalog: inout Catalog,
    _ apply: (inout Catalog) -> [Diagnostic]
  ) -> [Diagnostic] {
    if position < replays.count {
      if replays[position].source == source {
        catalog = replays[position].catalog
        return replays[position].diagnostics
      }
      removeAll(from: position)
    }
    let diagnostics = apply(&catalog)
    replays.append(Replay(source: source, diagnostics: diagnostics, catalog: catalog))
    return diagnostics
  }

  mutating func removeAll(from position: Int) {
    replays.removeSubrange(min(position, replays.count)...)
  }
}
