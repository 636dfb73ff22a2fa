internal import Primitives
public import SQLiteCore

extension Connection {
  /// Registers the collation and the functions for decimal columns, whose type is
  /// `DECIMAL TEXT COLLATE decimal`: numbers with more digits than SQLite's number types represent,
  /// stored as texts.
  ///
  /// - The collation `decimal` compares texts as numbers, exactly. Texts that are not numbers are
  ///   greater than all numbers.
  /// - `decimal(x)` is the number without an exponent, `decimal_add`, `decimal_sub` and
  ///   `decimal_mul` are exact, `decimal_cmp(x, y)` is -1, 0 or 1, and the aggregate `decimal_sum`
  ///   is exact. If an argument is not a number, the result is NULL. SQLite's extension has the
  ///   same functions.
  /// - `sum`, `total` and `avg` add texts that are numbers exactly. Their result is a text if
  ///   neither an integer nor a real number represents it; averages have at least 34 digits then.
  ///   For all other values, they are SQLite's own.
  ///
  /// Providers register them on their connections.
  public func registerDecimals() throws {
    try registerCollation("decimal") { a, b in
      a.withUTF8Span { a in b.withUTF8Span { b in NumberText.order(a, b) } }
    }
    let options: FunctionOptions = [.deterministic, .innocuous]
    try register("decimal", argumentCount: 1, options: options) { arguments in
      arguments[0].decimal.map { .text($0.description) } ?? .null
    }
    try register("decimal_cmp", argumentCount: 2, options: options) { arguments in
      guard let a = arguments[0].decimalText, let b = arguments[1].decimalText else { return .null }
      let order = a.withUTF8Span { a in b.withUTF8Span { b in NumberText.order(a, b) } }
      return .integer(Int64(order))
    }
    try register("decimal_add") { (a, b) throws(DecimalNumber.Overflow) in try a + b }
    try register("decimal_sub") { (a, b) throws(DecimalNumber.Overflow) in try a - b }
    try register("decimal_mul") { (a, b) throws(DecimalNumber.Overflow) in try a * b }
    try register(DecimalSum.self, as: "decimal_sum", argumentCount: 1, options: options)
    try register(Sum.self, as: "sum", argumentCount: 1, options: options)
    try register(Total.self, as: "total", argumentCount: 1, options: options)
    try register(Average.self, as: "avg", argumentCount: 1, options: options)
  }

  private func register(
    _ name: String,
    _ body: @escaping (DecimalNumber, DecimalNumber) throws(DecimalNumber.Overflow) -> DecimalNumber
  ) throws {
    try register(name, argumentCount: 2, options: [.deterministic, .innocuous]) { arguments in
      guard let a = arguments[0].decimal, let b = arguments[1].decimal else { return .null }
      do {
        return .text(try body(a, b).description)
      } catch {
        throw SQLiteError(code: .error, message: "the result of \(name) has too many digits")
      }
    }
  }
}

extension Configuration {
  /// The configuration for connections with `REGEXP` and decimal columns, as providers use it,
  /// unless ``/SQLiteCore/Configuration/prepare`` registers other functions.
  public var withProviderFunctions: Configuration {
    var configuration = withRegularExpressions
    let prepare = configuration.prepare
    configuration.prepare = { connection in
      try connection.registerDecimals()
      try prepare?(connection)
    }
    return configuration
  }
}

extension SQLiteValue {
  /// The text of a number; `nil` for any other value.
  fileprivate var decimalText: String? {
    switch self {
    case .integer(let value): value.description
    case .real(let value): value.isFinite ? value.description : nil
    case .text(let text): text.withUTF8Span { NumberText($0) } == nil ? nil : text
    case .null, .blob: nil
    }
  }

  fileprivate var decimal: DecimalNumber? { decimalText.flatMap { DecimalNumber($0) } }
}

private struct Sum: WindowFunction {
  private var sum = NumberSum()
  mutating func step(_ row: borrowing FunctionArguments) throws { try sum.add(row) }
  mutating func inverse(_ row: borrowing FunctionArguments) throws { try sum.remove(row[0]) }
  func value() throws -> SQLiteValue { try sum.sum() }
}

private struct Total: WindowFunction {
  private var sum = NumberSum()
  mutating func step(_ row: borrowing FunctionArguments) throws { try sum.add(row) }
  mutating func inverse(_ row: borrowing FunctionArguments) throws { try sum.remove(row[0]) }
  func value() throws -> SQLiteValue { try sum.total() }
}

private struct Average: WindowFunction {
  private var sum = NumberSum()
  mutating func step(_ row: borrowing FunctionArguments) throws { try sum.add(row) }
  mutating func inverse(_ row: borrowing FunctionArguments) throws { try sum.remove(row[0]) }
  func value() throws -> SQLiteValue { try sum.average() }
}

/// Ignores values that are not numbers.
private struct DecimalSum: WindowFunction {
  private var sum = NumberSum()
  mutating func step(_ row: borrowing FunctionArguments) throws {
    if let text = row[0].decimalText { try sum.add(.text(text)) }
  }
  mutating func inverse(_ row: borrowing FunctionArguments) throws {
    if let text = row[0].decimalText { try sum.remove(.text(text)) }
  }
  func value() throws -> SQLiteValue { try sum.decimalSum() }
}
