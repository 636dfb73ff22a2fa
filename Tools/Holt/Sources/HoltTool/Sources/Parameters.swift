import ArgumentParser
import Foundation
import SQLiteCore

/// The values of a statement's parameters, as the command line gives them.
struct ParameterOptions: ParsableArguments {
  @Option(
    name: [.customShort("p"), .customLong("param")],
    help: ArgumentHelp(
      "A value for :NAME, @NAME or $NAME in the SQL.",
      discussion: """
        Numbers are numbers, NULL is NULL, x'00ff' is a blob, and 'text' in SQL's quotes is \
        that text. All else is a text as it \
        stands, 007 and 1.10.0 too.
        """, valueName: "name=value"))
  var params: [String] = []

  @Option(
    name: [.customShort("a"), .customLong("arg")],
    help: ArgumentHelp("A value for the next ? in the SQL.", valueName: "value"))
  var arguments: [String] = []

  func validate() throws {
    for text in params where Parameters.named(text) == nil {
      throw ValidationError("--param takes name=value, and not \(text)")
    }
  }

  func values() -> Parameters {
    Parameters(
      named: Dictionary(
        params.compactMap(Parameters.named).map { ($0.name, $0.value) },
        uniquingKeysWith: { $1 }),
      ordered: arguments.map(Parameters.value))
  }
}

/// Values for the parameters of statements.
struct Parameters {
  var named: [String: SQLiteValue] = [:]
  var ordered: [SQLiteValue] = []
  private var used: Set<String> = []
  private var position = 0

  init(named: [String: SQLiteValue] = [:], ordered: [SQLiteValue] = []) {
    self.named = named
    self.ordered = ordered
  }

  static func named(_ text: String) -> (name: String, value: SQLiteValue)? {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { return nil }
    var name = String(text[..<equals])
    if let first = name.first, ":@$".contains(first) { name.removeFirst() }
    guard !name.isEmpty else { return nil }
    return (name, value(String(text[text.index(after: equals)...])))
  }

  /// A value as it is meant: see `--param`.
  static func value(_ text: String) -> SQLiteValue {
    if text.uppercased() == "NULL" { return .null }
    if text.count >= 2, text.hasPrefix("'"), text.hasSuffix("'") {
      return .text(String(text.dropFirst().dropLast()).replacing("''", with: "'"))
    }
    if let blob = blob(text) { return .blob(blob) }
    if let number = Int64(text), "\(number)" == text { return .integer(number) }
    if isDecimal(text), let number = Double(text), number.isFinite { return .real(number) }
    return .text(text)
  }

  private static func blob(_ text: String) -> [UInt8]? {
    guard text.hasPrefix("x'") || text.hasPrefix("X'"), text.hasSuffix("'") else { return nil }
    let digits = Array(text.dropFirst(2).dropLast())
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index].hexDigitValue, let low = digits[index + 1].hexDigitValue
      else { return nil }
      bytes.append(UInt8(high * 16 + low))
    }
    return bytes
  }

  /// `-1.5` and `2e10`, and neither `007` nor `0x1p3`.
  private static func isDecimal(_ text: String) -> Bool {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard let first = digits.first, first.isASCII, first.isNumber,
      digits.allSatisfy({ $0.isASCII && ($0.isNumber || ".eE+-".contains($0)) }),
      digits.contains(where: { ".eE".contains($0) })
    else { return false }
    let hasZero = digits.hasPrefix("0") && !(digits.hasPrefix("0.") || digits.hasPrefix("0e"))
    return !hasZero
  }

  /// Binds what a statement takes.
  ///
  /// - Throws: `ToolError` where a value is missing.
  mutating func bind(to statement: Statement) throws {
    for (index, name) in statement.parameterNames.enumerated() {
      let place = ParameterIndex(index + 1)
      guard let name, let first = name.first, ":@$".contains(first) else {
        guard position < ordered.count else {
          throw ToolError(
            "the SQL has \(statement.parameterCount.counted("value")), and too few are given",
            hint: "--arg gives one for each ?, in their order")
        }
        try statement.bind(ordered[position], at: place)
        position += 1
        continue
      }
      let key = String(name.dropFirst())
      guard let value = named[key] else {
        throw ToolError("\(name) has no value", hint: "--param \(key)=VALUE gives it one")
      }
      used.insert(key)
      try statement.bind(value, at: place)
    }
  }

  /// Refuses values that no statement has taken.
  func throwIfUnused() throws {
    if let name = named.keys.sorted().first(where: { !used.contains($0) }) {
      throw ToolError("no statement takes the value of --param \(name)")
    }
    guard position == ordered.count else {
      throw ToolError(
        "the SQL takes \(position.counted("value")) of --arg, and not \(ordered.count)")
    }
  }
}
