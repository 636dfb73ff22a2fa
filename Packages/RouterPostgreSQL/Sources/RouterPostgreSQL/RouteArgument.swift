internal import PostgreSQL
internal import Primitives
internal import Router
internal import SQLiteCore

/// A value of a route, which is bound as the type that the server expects.
///
/// A Boolean is an integer in routes, and decimal numbers, dates, times, UUIDs and arrays are strings, in the formats that
/// `RowEncoder` writes. A date without a zone is in UTC.
struct RouteArgument: PostgreSQLBindable, Sendable {
  let argument: DatabaseRoute.CustomStatement.Argument

  init(_ argument: DatabaseRoute.CustomStatement.Argument) { self.argument = argument }

  var postgreSQLValue: PostgreSQLValue {
    switch argument {
    case .value(let value): .scalar(DataValue(value))
    case .list(let values): .array(values.map { .scalar(DataValue($0)) })
    }
  }

  func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError) {
    switch argument {
    case .list(let values): try parameters.write(array: values.map { RouteArgument(.value($0)) })
    case .value(.null): parameters.writeNull()
    case .value(.integer(let integer)):
      if parameters.type == .bool, integer == 0 || integer == 1 {
        return try parameters.write(bool: integer == 1)
      }
      try Self.write([.integer(integer), .text(String(integer))], to: &parameters)
    case .value(.real(let real)):
      try Self.write([.real(real), .text(String(real))], to: &parameters)
    case .value(.blob(let bytes)): try parameters.write(blob: bytes)
    case .value(.text(let text)):
      do throws(PostgreSQLError) {
        try parameters.write(text: text)
      } catch  where error.code == .typeMismatch {
        guard let elements = ArrayLiteral.elements(ofJSON: text) else {
          return try Self.write(Self.forms(of: text), to: &parameters)
        }
        try parameters.write(array: elements.map { RouteArgument(.value($0)) })
      }
    }
  }

  /// The values that a text can be, other than a text.
  private static func forms(of text: String) -> [PostgreSQLValue] {
    var forms: [PostgreSQLValue] = [
      .decimal(text), .scalar(.uuid(text)), .scalar(.timestampWithZone(text)),
      .scalar(.timestampWithZone(text + "Z")), .scalar(.timestamp(text)), .scalar(.date(text)),
      .scalar(.time(text)),
    ]
    if text.hasSuffix("Z") { forms.append(.scalar(.timestamp(String(text.dropLast())))) }
    // A `Date` at midnight.
    if text.dropFirst(10).allSatisfy({ "T 0:.Z".contains($0) }) {
      forms.append(.scalar(.date(String(text.prefix(10)))))
    }
    if let real = Double(text) { forms.append(.real(real)) }
    if text == "true" || text == "false" { forms.append(.bool(text == "true")) }
    return forms
  }

  /// Writes the first value that fits the parameter.
  private static func write(
    _ forms: [PostgreSQLValue], to parameters: inout PostgreSQLParameters
  ) throws(PostgreSQLError) {
    var first: PostgreSQLError?
    for form in forms {
      do throws(PostgreSQLError) {
        return try parameters.write(form)
      } catch {
        // An error other than of the type is the reason why the value does not fit.
        if first == nil || first?.code == .typeMismatch { first = error }
      }
    }
    if let first { throw first }
  }
}

/// Arrays as strings.
enum ArrayLiteral {
  /// Returns the elements of a JSON array of values; `nil` for other text.
  static func elements(ofJSON text: String) -> [SQLiteValue]? {
    let bytes = Array(text.utf8)
    guard bytes.first == UInt8(ascii: "[") else { return nil }
    var events = JSONEventReader(JSONReadingOptions())
    var elements: [SQLiteValue] = []
    guard (try? events.next(in: bytes.elementSpan)) == .beginArray else { return nil }
    while let event = try? events.next(in: bytes.elementSpan) {
      switch event {
      case .string: elements.append(.text(events.text(in: bytes.elementSpan)))
      case .integer: elements.append(.integer(events.integer))
      // With all digits.
      case .double, .number:
        elements.append(.text(String(decoding: bytes[events.range], as: UTF8.self)))
      case .bool: elements.append(.integer(events.bool ? 1 : 0))
      case .null: elements.append(.null)
      case .endArray:
        return (try? events.next(in: bytes.elementSpan)) == .end ? elements : nil
      default: return nil
      }
    }
    return nil
  }

  /// Returns a JSON array of values in the format of PostgreSQL's arrays, and other values unchanged.
  static func converted(_ value: SQLiteValue) -> SQLiteValue {
    guard case .text(let text) = value, let elements = elements(ofJSON: text) else { return value }
    return .text("{\(elements.map(literal).joined(separator: ","))}")
  }

  private static func literal(_ element: SQLiteValue) -> String {
    switch DataValue(element) {
    case .integer(let integer): return String(integer)
    case .text(let text):
      let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return "\"\(escaped)\""
    default: return "NULL"
    }
  }
}
