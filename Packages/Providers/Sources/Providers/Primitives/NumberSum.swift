internal import Primitives
internal import SQLiteCore

/// The sum of a group's values: of integers and real numbers as SQLite's own functions compute it,
/// and of decimal numbers, which are texts, exactly.
struct NumberSum {
  /// The number of values that are not NULL.
  private(set) var count: Int64 = 0
  private var integers: Int64 = 0
  private var hasOverflowed = false
  /// A Boolean value that indicates whether integers are added to ``reals``, because there was a
  /// real number or the sum of integers has overflowed.
  private var isApproximate = false
  /// The sum of real numbers and its rounding error.
  private var reals = 0.0
  private var error = 0.0
  private var decimals = DecimalNumber.zero
  private var textCount = 0
  /// The number of texts that are not numbers.
  private var otherCount = 0

  mutating func add(_ value: SQLiteValue) throws { try add(value, isRemoved: false) }
  mutating func remove(_ value: SQLiteValue) throws { try add(value, isRemoved: true) }

  /// Adds the argument of an aggregate. Most values are numbers like the one before.
  @inline(__always)
  mutating func add(_ arguments: borrowing FunctionArguments) throws {
    if isApproximate {
      if !hasOverflowed, let value = arguments.real(at: 0) {
        add(real: value)
        count += 1
        return
      }
    } else if let value = arguments.integer(at: 0) {
      let (sum, isTooLarge) = integers.addingReportingOverflow(value)
      if !isTooLarge {
        integers = sum
        count += 1
        return
      }
    }
    try add(arguments[0])
  }

  @inline(never)
  private mutating func add(_ value: SQLiteValue, isRemoved: Bool) throws {
    switch value {
    case .null: return
    case .integer(let value):
      let (sum, isTooLarge) =
        isRemoved
        ? integers.subtractingReportingOverflow(value) : integers.addingReportingOverflow(value)
      if !isApproximate, !isTooLarge {
        integers = sum
      } else {
        if isTooLarge { hasOverflowed = true }
        approximate()
        add(integer: value, isRemoved)
      }
    case .real(let value):
      hasOverflowed = false
      approximate()
      add(real: isRemoved ? -value : value)
    case .text(let text): try add(text, isRemoved)
    case .blob(let bytes): try add(String(decoding: bytes, as: UTF8.self), isRemoved)
    }
    count += isRemoved ? -1 : 1
  }

  /// Continues with real numbers.
  private mutating func approximate() {
    if !isApproximate { add(integer: integers, false) }
    isApproximate = true
    integers = 0
  }

  /// Adds an integer in two parts that `Double` represents.
  private mutating func add(integer value: Int64, _ isRemoved: Bool) {
    let low = value % 16_384
    add(real: isRemoved ? -Double(value - low) : Double(value - low))
    add(real: isRemoved ? -Double(low) : Double(low))
  }

  /// Adds a real number with Neumaier's algorithm, as SQLite does since version 3.43.
  @inline(__always)
  private mutating func add(real value: Double) {
    let sum = reals + value
    if sum.isFinite {
      error += reals.magnitude >= value.magnitude ? reals - sum + value : value - sum + reals
    }
    reals = sum
  }

  private mutating func add(_ text: String, _ isRemoved: Bool) throws {
    let number: DecimalNumber
    if let whole = DecimalNumber(text) {
      number = whole
    } else {
      number = Self.prefix(of: text)
      otherCount += isRemoved ? -1 : 1
    }
    decimals = try Self.checked { () throws(DecimalNumber.Overflow) in
      try decimals + (isRemoved ? -number : number)
    }
    textCount += isRemoved ? -1 : 1
  }

  /// Returns the number at the beginning of a text, as SQLite converts texts; 0 if there is none.
  private static func prefix(of text: String) -> DecimalNumber {
    var rest = text.utf8.drop { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains($0) }
    let characters = Array("+-.0123456789eE".utf8)
    rest = rest.prefix { characters.contains($0) }
    while !rest.isEmpty {
      if let number = DecimalNumber(String(decoding: rest, as: UTF8.self)) { return number }
      rest.removeLast()
    }
    return .zero
  }

  private static func checked(
    _ body: () throws(DecimalNumber.Overflow) -> DecimalNumber
  ) throws -> DecimalNumber {
    do { return try body() } catch {
      throw SQLiteError(code: .error, message: "the sum has too many digits")
    }
  }

  // MARK: Results

  private var real: Double {
    let sum = Double(integers) + reals
    return sum.isFinite ? sum + error : sum
  }

  /// The exact sum; `nil` if a number is infinite.
  private func decimal() throws -> DecimalNumber? {
    guard let reals = isApproximate ? DecimalNumber(reals + error) : .zero else { return nil }
    return try Self.checked { () throws(DecimalNumber.Overflow) in
      try decimals + DecimalNumber(integers) + reals
    }
  }

  /// Returns a number as an integer or a real number if these represent it exactly, or else as a
  /// text.
  private static func value(_ number: DecimalNumber, isReal: Bool) -> SQLiteValue {
    let text = number.description
    if !isReal, number.exponent >= 0, let integer = Int64(text) { return .integer(integer) }
    return number.double.map { .real($0) } ?? .text(text)
  }

  private var isReal: Bool { isApproximate || otherCount > 0 }

  /// The result of `sum`: NULL if there are no values.
  func sum() throws -> SQLiteValue {
    guard count > 0 else { return .null }
    if textCount > 0, let decimal = try decimal() {
      return Self.value(decimal, isReal: isReal)
    }
    if hasOverflowed { throw SQLiteError(code: .error, message: "integer overflow") }
    return isApproximate || textCount > 0 ? .real(real) : .integer(integers)
  }

  /// The result of `total`, which is a real number if that is exact.
  func total() throws -> SQLiteValue {
    guard textCount > 0, let decimal = try decimal() else { return .real(real) }
    return Self.value(decimal, isReal: true)
  }

  /// The result of `avg`: NULL if there are no values.
  func average() throws -> SQLiteValue {
    guard count > 0 else { return .null }
    guard textCount > 0, let decimal = try decimal() else { return .real(real / Double(count)) }
    let quotient = try Self.checked { () throws(DecimalNumber.Overflow) in
      try decimal.divided(by: count)
    }
    // The digits of an ordinary average are those of a `Double`.
    if decimal.double != nil, let nearest = Double(quotient.description) { return .real(nearest) }
    return Self.value(quotient, isReal: true)
  }

  /// The result of `decimal_sum`.
  func decimalSum() throws -> SQLiteValue {
    guard count > 0 else { return .null }
    return try decimal().map { .text($0.description) } ?? .null
  }
}

extension DecimalNumber {
  /// The `Double` that represents the number exactly.
  fileprivate var double: Double? {
    let bytes = Array(description.utf8)
    return ExactNumber(bytes.elementSpan, 0..<bytes.count)?.double
  }
}
