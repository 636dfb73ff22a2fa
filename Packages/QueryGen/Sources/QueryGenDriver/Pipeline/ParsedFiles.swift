internal import SQLSyntax
internal import Primitives

/// The trees of files that were parsed before, by what the files hold: whoever runs a driver again,
/// as an editor does, parses only what has changed.
final class ParsedFiles: Sendable {
  struct Key: Hashable {
    var options: ParserOptions
    var isQueryFile: Bool
    var bytes: [UInt8]
  }

  /// A file's tree, of one kind or the other, and what is wrong with its syntax.
  struct Entry: Sendable {
    var script: Script?
    var queries: SQLSyntax.QueryFile?
    var diagnostics = DiagnosticList()
  }

  private let entries = Mutex<[Key: Entry]>([:])

  /// Keeps the trees of one run, and lets go of those that it did not ask for.
  func keep(_ used: [Key: Entry]) { entries.withLock { $0 = used } }

  /// The trees of the last run.
  var kept: [Key: Entry] { entries.withLock { $0 } }
}

/// The trees that one run asks for.
struct Parsing {
  private let cache: ParsedFiles
  private let target: SQLiteVersion
  private let earlier: [ParsedFiles.Key: ParsedFiles.Entry]
  private var used: [ParsedFiles.Key: ParsedFiles.Entry] = [:]
  /// The paths of the files that had to be parsed.
  private(set) var parsed: [String] = []

  /// - Parameter target: The release of SQLite that the files are for.
  init(_ cache: ParsedFiles, target: SQLiteVersion) {
    self.cache = cache
    self.target = target
    earlier = cache.kept
  }

  /// Makes the trees available to the next run.
  func finish() { cache.keep(used) }

  /// The statements of a migration; what is wrong with them is added to the file's diagnostics.
  mutating func statements(of file: inout InputFile) -> [ScriptStatement] {
    entry(of: &file, isQueryFile: false).script?.statements ?? []
  }

  /// The queries of a file; what is wrong with them is added to the file's diagnostics.
  mutating func queries(of file: inout InputFile) -> [NamedQuery] {
    entry(of: &file, isQueryFile: true).queries?.queries ?? []
  }

  private mutating func entry(of file: inout InputFile, isQueryFile: Bool) -> ParsedFiles.Entry {
    let key = ParsedFiles.Key(
      options: ParserOptions(allowsListParameters: isQueryFile, target: target),
      isQueryFile: isQueryFile, bytes: file.source.bytes)
    let entry = earlier[key] ?? used[key] ?? parse(file, key)
    used[key] = entry
    for diagnostic in entry.diagnostics.diagnostics { file.diagnostics.append(diagnostic) }
    return entry
  }

  private mutating func parse(_ file: InputFile, _ key: ParsedFiles.Key) -> ParsedFiles.Entry {
    parsed.append(file.path)
    var entry = ParsedFiles.Entry()
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
