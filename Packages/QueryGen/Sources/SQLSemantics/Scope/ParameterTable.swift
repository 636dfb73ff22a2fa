internal import QueryModel
internal import SQLSyntax

/// The parameters of one statement: their numbers, and what their uses say of them.
struct ParameterTable: Sendable {
  /// What one use of a parameter says.
  struct Use: Sendable {
    var type: ValueType?
    /// Whether `NULL` makes sense here; `nil` where the use does not say.
    var takesNull: Bool?
    /// A name for the parameter.
    var name: String?
    /// The columns whose values it is used as.
    var provenance = Provenance.nothing
  }

  struct Entry: Sendable {
    /// The name as written, with its first character.
    var name: String?
    /// How SQLite calls it: its name, or the number that is written, as `?5`.
    var spelling: String?
    var uses: [Use] = []
    /// Where `IN ?` stands for a list.
    var listSpans: [ByteSpan] = []
    /// Where it stands.
    var spans: [ByteSpan] = []
  }

  /// The entries by number.
  private(set) var entries: [Int: Entry] = [:]
  private var numbers: [ByteOffset: Int] = [:]
  private var byName: [String: Int] = [:]
  /// The largest number: what `sqlite3_bind_parameter_count` says.
  private(set) var count = 0
  /// The largest number that SQLite accepts.
  static let limit = 250_000

  /// The number of the parameter at `span`, as SQLite counts: `?` is one more than the largest so
  /// far, and a name keeps the number of its first use.
  ///
  /// A parameter that is resolved twice keeps its number. SQLite numbers in the order of the text,
  /// so all of a statement's are to be numbered in that order before any is typed.
  mutating func number(_ parameter: Parameter) -> Int? {
    number(parameter.kind, at: parameter.span)
  }

  mutating func number(_ kind: Parameter.Kind, at span: ByteSpan) -> Int? {
    if let known = numbers[span.start] { return known }
    let number: Int
    switch kind {
    case .anonymous: number = count + 1
    case .numbered(let written):
      guard written >= 1, written <= Self.limit else { return nil }
      number = written
    case .named(let name):
      number = byName[name] ?? count + 1
      byName[name] = number
    }
    guard number <= Self.limit else { return nil }
    count = max(count, number)
    numbers[span.start] = number
    entries[number, default: Entry()].spans.append(span)
    if entries[number]?.spelling == nil {
      switch kind {
      case .anonymous: break
      case .numbered: entries[number]?.spelling = "?\(number)"
      case .named(let name): entries[number]?.spelling = name
      }
    }
    if case .named(let name) = kind { entries[number]?.name = name }
    return number
  }

  mutating func add(_ use: Use, to number: Int) {
    entries[number]?.uses.append(use)
  }

  mutating func addList(_ span: ByteSpan, to number: Int) {
    guard entries[number]?.listSpans.contains(span) == false else { return }
    entries[number]?.listSpans.append(span)
  }
}

extension ParameterTable.Entry {
  /// What all uses agree on.
  var type: ValueType {
    let said = uses.compactMap(\.type).filter { $0 != .any }
    // That it is a number goes without saying where another use says which.
    let certain = said.filter { $0 != .numeric }
    let types = certain.isEmpty ? said : certain
    guard let first = types.first else { return .any }
    let merged = types.dropFirst().reduce(first) { $0.union($1) }
    // A number that is compared with integers and reals alike is bound as a real.
    return merged == .numeric && types.contains(.real) ? .real : merged
  }

  /// The columns whose values it is used as, where every use says so.
  var provenance: Provenance { uses.reduce(.nothing) { $0.union($1.provenance) } }

  /// Whether `NULL` may be given: where one use wants it and none forbids it, or none says.
  var isNullable: Bool {
    let wishes = uses.compactMap(\.takesNull)
    return wishes.isEmpty ? uses.allSatisfy { $0.type == nil } : wishes.contains(true)
  }
}
