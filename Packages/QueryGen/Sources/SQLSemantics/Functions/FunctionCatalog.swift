/// The functions of one version of SQLite, by name and number of arguments.
struct FunctionCatalog: Sendable {
  /// What a call resolves to.
  enum Match: Sendable {
    case found(BuiltinFunction)
    /// The name exists, but not with this number of arguments.
    case wrongArgumentCount
    case unknown
  }

  private let byName: [String: [BuiltinFunction]]

  init(_ functions: [BuiltinFunction]) {
    byName = Dictionary(grouping: functions, by: \.name)
  }

  /// SQLite 3.40 as Debian builds it: mathematics, JSON, FTS3 to FTS5 and R-Tree included.
  static let sqlite3_40 = FunctionCatalog(
    BuiltinFunction.core + BuiltinFunction.dateAndTime + BuiltinFunction.mathematics
      + BuiltinFunction.json + BuiltinFunction.aggregates + BuiltinFunction.windows
      + BuiltinFunction.fullTextSearch)

  /// Every function's name, in lower case.
  var names: some Collection<String> { byName.keys }

  func find(_ name: NameKey, argumentCount: Int) -> Match {
    guard let candidates = byName[name.folded] else { return .unknown }
    guard let function = candidates.first(where: { $0.arity.accepts(argumentCount) }) else {
      return .wrongArgumentCount
    }
    return .found(function)
  }
}
