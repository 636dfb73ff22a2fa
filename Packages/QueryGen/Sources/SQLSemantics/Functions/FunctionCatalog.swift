internal import QueryModel
internal import SQLSyntax

/// The functions of one SQLite release and those that a project declares, by name and number of
/// arguments.
struct FunctionCatalog: Sendable {
  /// The result of looking up a function.
  enum Match: Sendable {
    case found(FunctionSignature)
    /// The name exists, but not with this number of arguments.
    case wrongArgumentCount
    case unknown
    /// The function exists only in a newer release.
    case newer(SQLiteVersion)
  }

  private var byName: [String: [FunctionSignature]]
  /// The release whose functions are available.
  let target: SQLiteVersion

  init(_ functions: [FunctionSignature], target: SQLiteVersion) {
    byName = Dictionary(grouping: functions, by: \.name)
    self.target = target
  }

  /// Adds declared functions, which replace built-in functions with the same names.
  mutating func declare(_ definitions: [FunctionDefinition]) {
    for definition in definitions {
      let function = FunctionSignature(definition)
      byName[function.name] = [function]
    }
  }

  /// Returns the functions that are available in another release.
  func targeting(_ target: SQLiteVersion) -> FunctionCatalog {
    FunctionCatalog(byName.values.flatMap(\.self), target: target)
  }

  /// The functions of Debian's build of SQLite 3.40, including math, JSON, FTS3 to FTS5 and R-Tree.
  static let sqlite3_40 = FunctionCatalog(
    FunctionSignature.core + FunctionSignature.dateAndTime + FunctionSignature.mathematics
      + FunctionSignature.json + FunctionSignature.aggregates + FunctionSignature.windows
      + FunctionSignature.fullTextSearch + FunctionSignature.newer, target: .standard)

  /// The names of all available functions, in lowercase.
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

extension FunctionCatalog {
  /// The functions that the target has.
  var available: [FunctionSignature] {
    byName.values.flatMap { $0.filter { $0.since <= target } }
  }
}
