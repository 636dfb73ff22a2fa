internal import Primitives
public import Router
internal import SQLiteCore

extension PostgreSQLDialect {
  public static func write(
    _ comparison: DatabaseRoute.Comparison, in scope: Scope, to writer: inout Writer
  ) throws {
    let condition = Condition(
      comparison: comparison, scope: scope,
      type: try type(of: comparison.column, in: scope, writer))
    try condition.write(to: &writer)
  }
}

/// A condition on a column of a known type.
private struct Condition {
  typealias Writer = StatementWriter<PostgreSQLDialect>

  let comparison: DatabaseRoute.Comparison
  let scope: StatementScope
  let type: PostgreSQLType

  private var isPart: Bool { !comparison.column.path.isEmpty }

  func write(to writer: inout Writer) throws {
    writer.write("(")
    switch comparison.operator {
    case .equals: try compare("=", try writer.value(of: comparison), &writer)
    case .notEquals: try compare("<>", try writer.value(of: comparison), &writer)
    case .greaterThan: try compare(">", try writer.value(of: comparison), &writer)
    case .greaterThanOrEquals: try compare(">=", try writer.value(of: comparison), &writer)
    case .lessThan: try compare("<", try writer.value(of: comparison), &writer)
    case .lessThanOrEquals: try compare("<=", try writer.value(of: comparison), &writer)
    case .isNull: try test("IS NULL", &writer)
    case .isNotNull: try test("IS NOT NULL", &writer)
    case .isTrue: try testTruth("IS TRUE", &writer)
    case .isFalse: try testTruth("IS FALSE", &writer)
    case .isDistinct: try distinguish(isEqual: false, &writer)
    case .isNotDistinct: try distinguish(isEqual: true, &writer)
    case .like: try match("LIKE", try writer.pattern(of: comparison), &writer)
    case .iLike: try match("ILIKE", try writer.pattern(of: comparison), &writer)
    case .matches: try match("~", try writer.text(of: comparison), &writer)
    case .iMatches: try match("~*", try writer.text(of: comparison), &writer)
    case .in: try find("= ANY", &writer)
    case .notIn: try find("<> ALL", &writer)
    case .contains, .containedBy, .overlaps: try compareArrays(&writer)
    case .search: try search("to_tsquery", &writer)
    case .plainSearch: try search("plainto_tsquery", &writer)
    case .phraseSearch: try search("phraseto_tsquery", &writer)
    case .webSearch: try search("websearch_to_tsquery", &writer)
    default:
      throw writer.unsupported(
        comparison, "PostgreSQL has no operator \(comparison.operator)", scope)
    }
    writer.write(")")
  }

  // MARK: Columns

  /// Writes the column as a type that has the comparison operators.
  private func writeColumn(_ writer: inout Writer) throws {
    try writer.write(comparison.column, in: scope)
    if type == .json { writer.write("::jsonb") }
  }

  /// Writes the column as text.
  private func writeText(_ writer: inout Writer) throws {
    if isPart, scope.groups == nil {
      return try PostgreSQLDialect.writePath(
        comparison.column, in: scope, isText: true, to: &writer)
    }
    try writer.write(comparison.column, in: scope)
    if type != .text { writer.write("::text") }
  }

  // MARK: Comparisons

  /// Writes a comparison with a value. A value other than an integer that is compared with an integer column is compared
  /// as a number, so that no value is rounded.
  private func compare(
    _ symbol: String, _ value: SQLiteValue, _ writer: inout Writer
  ) throws {
    try writeColumn(&writer)
    switch type {
    case .integer:
      if let integer = Self.integer(value) {
        writer.write(" \(symbol) ")
        writer.bind(.integer(integer))
        writer.write("::bigint")
      } else {
        guard case .real = value else {
          throw PostgreSQLDialect.invalid(
            "\(comparison.column) is a column of integers", comparison.column.name)
        }
        writer.write("::numeric \(symbol) ")
        writer.bind(value)
        writer.write("::double precision::numeric")
      }
    case .json, .jsonb:
      writer.write(" \(symbol) ")
      writer.bind(.text(try json(value)))
      writer.write("::jsonb")
    default:
      writer.write(" \(symbol) ")
      writer.bind(value)
    }
  }

  /// Returns a number as an integer, if it is one.
  private static func integer(_ value: SQLiteValue) -> Int64? {
    switch value {
    case .integer(let integer): integer
    case .real(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// Returns a value as JSON. A text that is compared with a whole column is JSON already.
  private func json(_ value: SQLiteValue) throws(RouterError) -> String {
    switch value {
    case .null: return "null"
    case .integer(let integer): return String(integer)
    case .real(let number) where number.isFinite: return String(number)
    case .text(let text): return isPart ? JSONText.quoted(text) : text
    case .real, .blob:
      throw PostgreSQLDialect.invalid(
        "JSON contains no such value as the one that \(comparison.column) is compared with",
        comparison.column.name)
    }
  }

  private func requireNoValue() throws(RouterError) {
    guard case .none = comparison.operand else {
      throw PostgreSQLDialect.invalid(
        "\(comparison.operator) takes no value", comparison.column.name)
    }
  }

  private func test(_ test: String, _ writer: inout Writer) throws {
    try requireNoValue()
    try writer.write(comparison.column, in: scope)
    writer.write(" \(test)")
  }

  /// Writes a test of truth, in which a number other than 0 is true.
  private func testTruth(_ test: String, _ writer: inout Writer) throws {
    try requireNoValue()
    switch type {
    case .bool: try writeColumn(&writer)
    case .integer, .float, .numeric:
      writer.write("(")
      try writeColumn(&writer)
      writer.write(" <> 0)")
    case .jsonb where isPart:
      writer.write("CASE jsonb_typeof(")
      try writeColumn(&writer)
      writer.write(") WHEN 'boolean' THEN ")
      try writeColumn(&writer)
      writer.write(" = 'true' WHEN 'number' THEN ")
      try writeColumn(&writer)
      writer.write(" <> '0' END")
    default:
      throw writer.unsupported(
        comparison, "\(comparison.column) is neither a Boolean nor a number", scope)
    }
    writer.write(" \(test)")
  }

  /// Writes a comparison in which NULL is a value, by conditions that an index serves.
  private func distinguish(isEqual: Bool, _ writer: inout Writer) throws {
    let value = try writer.value(of: comparison, orNull: true)
    var isNull = isEqual
    if value != .null {
      try compare(isEqual ? "=" : "<>", value, &writer)
      writer.write(isEqual ? " AND " : " OR ")
      isNull = !isEqual
    }
    try writer.write(comparison.column, in: scope)
    writer.write(isNull ? " IS NULL" : " IS NOT NULL")
  }

  // MARK: Patterns, lists and arrays

  private func match(_ symbol: String, _ pattern: String, _ writer: inout Writer) throws {
    try writeText(&writer)
    writer.write(" \(symbol) ")
    writer.bind(.text(pattern))
  }

  private func find(_ symbol: String, _ writer: inout Writer) throws {
    let values = try writer.list(of: comparison)
    try writeColumn(&writer)
    writer.write(" \(symbol) (")
    switch type {
    case .integer:
      // No integer is equal to another value.
      writer.bind(list: values.compactMap { Self.integer($0).map { .integer($0) } })
      writer.write("::bigint[]")
    case .json, .jsonb:
      writer.bind(list: try values.map { .text(try json($0)) })
      writer.write("::jsonb[]")
    default: writer.bind(list: values)
    }
    writer.write(")")
  }

  private func compareArrays(_ writer: inout Writer) throws {
    let values = try writer.list(of: comparison)
    switch type {
    case .array:
      try writeColumn(&writer)
      switch comparison.operator {
      case .contains: writer.write(" @> ")
      case .containedBy: writer.write(" <@ ")
      default: writer.write(" && ")
      }
      writer.bind(list: values)
    case .json, .jsonb:
      writer.write("CASE WHEN jsonb_typeof(")
      try writeColumn(&writer)
      writer.write(") = 'array' THEN ")
      try writeColumn(&writer)
      let elements = try values.map { value throws(RouterError) in try element(value) }
      let list = "[\(elements.joined(separator: ","))]"
      switch comparison.operator {
      case .contains:
        writer.write(" @> ")
        writer.bind(.text(list))
        writer.write("::jsonb")
      case .containedBy:
        writer.write(" <@ ")
        writer.bind(.text(list))
        writer.write("::jsonb")
      default:
        writer.write(" @> ANY (")
        writer.bind(list: elements.map { .text("[\($0)]") })
        writer.write("::jsonb[])")
      }
      writer.write(" END")
    default:
      throw writer.unsupported(comparison, "\(comparison.column) is not a column of arrays", scope)
    }
  }

  /// Returns an element of a JSON array.
  private func element(_ value: SQLiteValue) throws(RouterError) -> String {
    if case .text(let text) = value { return JSONText.quoted(text) }
    return try json(value)
  }

  // MARK: Full text

  private func search(_ function: String, _ writer: inout Writer) throws {
    let query = try writer.text(of: comparison)
    let configuration =
      "'\(writer.catalog.textSearchConfiguration.replacing("'", with: "''"))'::regconfig"
    if type == .textSearch {
      try writer.write(comparison.column, in: scope)
    } else {
      guard type == .text || isPart else {
        throw writer.unsupported(comparison, "\(comparison.column) is not a column of text", scope)
      }
      writer.write("to_tsvector(\(configuration), ")
      try writeText(&writer)
      writer.write(")")
    }
    writer.write(" @@ \(function)(\(configuration), ")
    writer.bind(.text(query))
    writer.write(")")
  }
}
