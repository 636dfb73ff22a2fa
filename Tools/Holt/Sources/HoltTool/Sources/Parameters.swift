import ArgumentParser
import Foundation
import SQLiteCore

/// The command-line options for the values of a statement's parameters.
struct ParameterOptions: ParsableArguments {
  @Option(
    name: [.customShort("p"), .customLong("param")],
    help: ArgumentHelp(
      "A value for :NAME, @NAME or $NAME in the SQL.",
      discussion: """
        Numbers are bound as numbers, NULL as NULL, x'00ff' as a blob, and 'text' in SQL quotes \
        as the text without the quotes. Any other value is bound as text, including 007 and \
        1.10.0.
        """, valueName: "name=value"))
  var params: [String] = []

  @Option(
    name: [.customShort("a"), .customLong("arg")],
    help: ArgumentHelp("A value for the next ? in the SQL.", valueName: "value"))
  var arguments: [String] = []

  func validate() throws {
    for text in params where Parameters.named(text) == nil {
      throw ValidationError("--param expects name=value, got \(text)")
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

/// The values to bind to statements' parameters.
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

  /// Parses a value: see `--param`.
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

  /// Returns whether the text is a decimal number such as `-1.5` or `2e10`, but not `007` or
  /// `0x1p3`.
  private static func isDecimal(_ text: String) -> Bool {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard let first = digits.first, first.isASCII, first.isNumber,
      digits.allSatisfy({ $0.isASCII && ($0.isNumber || ".eE+-".contains($0)) }),
      digits.contains(where: { ".eE".contains($0) })
    else { return false }
    let hasZero = digits.hasPrefix("0") && !(digits.hasPrefix("0.") || digits.hasPrefix("0e"))
    return !hasZero
  }

  /// Binds values to a statement's parameters.
  ///
  /// - Throws: `ToolError` if a value is missing.
  mutating func bind(to statement: Statement) throws {
    for (offset, name) in statement.parameterNames.enumerated() {
      let index = ParameterIndex(offset + 1)
      guard let name, let first = name.first, ":@$".contains(first) else {
        guard position < ordered.count else {
          throw ToolError(
            "the SQL has \(statement.parameterCount.counted("parameter")), but too few values are given",
            hint: "pass --arg once for each ?, in order")
        }
        try statement.bind(ordered[position], at: index)
        position += 1
        continue
      }
      let key = String(name.dropFirst())
      guard let value = named[key] else {
        throw ToolError("no value for \(name)", hint: "pass --param \(key)=VALUE")
      }
      used.insert(key)
      try statement.bind(value, at: index)
    }
  }

  /// Checks that each value was bound to a statement.
  ///
  /// - Throws: `ToolError` if a value was not used.
  func throwIfUnused() throws {
    if let name = named.keys.sorted().first(where: { !used.contains($0) }) {
      throw ToolError("no statement has a parameter named \(name) (--param \(name))")
    }
    guard position == ordered.count else {
      throw ToolError(
        "the SQL uses \(position.counted("value")) of --arg, got \(ordered.count)")
    }
  }
}
