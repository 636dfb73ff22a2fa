internal import SQLSyntax

/// The functions of one version of SQLite, by name and number of arguments.
struct FunctionCatalog: Sendable {
  /// What a call resolves to.
  enum Match: Sendable {
    case found(BuiltinFunction)
    /// The name exists, but not with this number of arguments.
    case wrongArgumentCount
    case unknown
    /// Only a newer release has it.
    case newer(SQLiteVersion)
  }

  private let byName: [String: [BuiltinFunction]]
  /// The release whose functions they are.
  let target: SQLiteVersion

  init(_ functions: [BuiltinFunction], target: SQLiteVersion) {
    byName = Dictionary(grouping: functions, by: \.name)
    self.target = target
  }

  /// The same functions, and those added up to another release.
  func targeting(_ target: SQLiteVersion) -> FunctionCatalog {
    FunctionCatalog(byName.values.flatMap(\.self), target: target)
  }

  /// SQLite 3.40 as Debian builds it: mathematics, JSON, FTS3 to FTS5 and R-Tree included.
  static let sqlite3_40 = FunctionCatalog(
    BuiltinFunction.core + BuiltinFunction.dateAndTime + BuiltinFunction.mathematics
      + BuiltinFunction.json + BuiltinFunction.aggregates + BuiltinFunction.windows
      + BuiltinFunction.fullTextSearch + BuiltinFunction.newer, target: .standard)

  /// Every function's name, in lower case.
  var names: some Collection<String> {
    byName.filter { $0.value.contains { $0.since <= target } }.keys
  }

  func find(_ name: NameKey, argumentCount: Int) -> Match {
    guard let candidates = byName[name.folded] else { return .unknown }
    var since: SQLiteVersion?
    for function in candidates where function.arity.accepts(argumentCount) {
      if function.since <= target { return .found(function) }
      since = min(since ?? function.since, function.since)
    }
    if let since { return .newer(since) }
    return candidates.contains { $0.since <= target } ? .wrongArgumentCount : .unknown
  }
}
