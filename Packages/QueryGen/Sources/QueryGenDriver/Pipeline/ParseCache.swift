internal import Primitives
public import SQLSyntax

/// A cache of syntax trees, by file contents. A driver that runs repeatedly, as in an editor,
/// parses only the files that have changed.
public final class ParseCache: Sendable {
  struct Key: Hashable {
    var options: ParserOptions
    var isQueryFile: Bool
    var source: SourceText
  }

  /// A file's syntax tree, as a script or as queries, and its syntax errors.
  struct Entry: Sendable {
    var script: Script?
    var queries: SQLSyntax.QueryFile?
    var diagnostics = DiagnosticList()
  }

  public init() {}

  private let entries = Mutex<[Key: Entry]>([:])

  /// Replaces the cached trees with the trees that the last run used.
  func keep(_ used: [Key: Entry]) { entries.withLock { $0 = used } }

  /// The trees that the last run used.
  var kept: [Key: Entry] { entries.withLock { $0 } }
}

/// The syntax trees that one run uses.
public struct ParseSession: Sendable {
  private let cache: ParseCache
  /// The SQLite version that the files are written for.
  var target: SQLiteVersion
  private let earlier: [ParseCache.Key: ParseCache.Entry]
  private var used: [ParseCache.Key: ParseCache.Entry] = [:]
  /// The paths of the files that were not cached.
  private(set) var parsed: [String] = []

  /// - Parameters:
  ///   - cache: The trees of files that were parsed before.
  ///   - target: The SQLite version that the files are written for.
  public init(_ cache: ParseCache, target: SQLiteVersion) {
    self.cache = cache
    self.target = target
    earlier = cache.kept
  }

  /// Caches the trees for the next run.
  public func finish() { cache.keep(used) }

  /// Caches the trees of a run that was interrupted, in addition to the trees of the previous run.
  public func interrupt() {
    cache.keep(earlier.merging(used, uniquingKeysWith: { _, new in new }))
  }

  /// Drops the tree of a query file that has changed. A file with the same text is parsed again.
  public mutating func dropQueries(of file: InputFile) {
    used[key(of: file, isQueryFile: true)] = nil
  }

  /// The number of trees that this run has used.
  public var usedCount: Int { used.count }

  /// Returns a migration's statements, and adds syntax errors to the file's diagnostics.
  public mutating func statements(of file: inout InputFile) -> [ScriptStatement] {
    entry(of: &file, isQueryFile: false).script?.statements ?? []
  }

  /// Returns a file's queries, and adds syntax errors to the file's diagnostics.
  public mutating func queries(of file: inout InputFile) -> [NamedQuery] {
    entry(of: &file, isQueryFile: true).queries?.queries ?? []
  }

  /// Returns the declarations in a file's comments, without the file's syntax errors.
  mutating func declarations(of file: InputFile, isQueryFile: Bool) -> [Declaration] {
    guard file.isText else { return [] }
    var file = file
    let entry = entry(of: &file, isQueryFile: isQueryFile)
    return entry.script?.declarations ?? entry.queries?.declarations ?? []
  }

  /// Returns whether a query file has declarations, which affect the whole project.
  public mutating func hasDeclarations(_ file: InputFile) -> Bool {
    !declarations(of: file, isQueryFile: true).isEmpty
  }

  private mutating func entry(of file: inout InputFile, isQueryFile: Bool) -> ParseCache.Entry {
    let key = key(of: file, isQueryFile: isQueryFile)
    let entry = earlier[key] ?? used[key] ?? parse(file, key)
    used[key] = entry
    for diagnostic in entry.diagnostics.diagnostics { file.diagnostics.append(diagnostic) }
    return entry
  }

  private func key(of file: InputFile, isQueryFile: Bool) -> ParseCache.Key {
    ParseCache.Key(
      options: ParserOptions(allowsListParameters: isQueryFile, target: target),
      isQueryFile: isQueryFile, source: file.source)
  }

  private mutating func parse(_ file: InputFile, _ key: ParseCache.Key) -> ParseCache.Entry {
    parsed.append(file.path)
    var entry = ParseCache.Entry()
    if key.isQueryFile {
      entry.queries = Parser.parseQueryFile(
        file.source, options: key.options, diagnostics: &entry.diagnostics)
    } else {
      entry.script = Parser.parseScript(
        file.source, options: key.options, diagnostics: &entry.diagnostics)
    }
    return entry
  }
}
