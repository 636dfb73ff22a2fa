public import Foundation
internal import QueryModel
internal import SQLSemantics
internal import SQLSyntax

/// Analyzes statements one by one, and prints the results so that they can be compared with
/// SQLite's.
///
/// A case is a line of JSON: `{"id", "schema_sql" or "schema_id", "query_sql"}`. Its result is also
/// a line of JSON: `{"id", "accept", "error": {"code", "message", "offset"}, "columns": [{"name",
/// "type", "nullable", "table", "column"}], "parameters": [{"name", "index", "type", "nullable"}],
/// "readonly"}`.
///
/// ```swift
/// let conformance = Conformance()
/// try conformance.addSchemas(Data(contentsOf: schemas))
/// try conformance.answer(Data(contentsOf: cases)) { line in print(line) }
/// ```
///
/// A statement is accepted if `sqlite3_prepare_v2` should accept it: only the first statement of
/// the text counts, and errors that occur at run time do not. A parameter may be a list, as in a
/// query file. Statements of the schema that can't be parsed are ignored.
public final class Conformance {
  private var schemas: [String: String] = [:]
  /// The schema of the previous case. Adjacent cases mostly share one.
  private var last: (text: String, catalog: Catalog)?
  private let decoder = JSONDecoder()
  private let encoder = JSONEncoder()

  public init() {
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// A line that is not a valid case.
  public struct InvalidLine: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the line, counting from 1.
    public let line: Int
    public let message: String

    public var description: String { "line \(line): \(message)" }
  }

  /// Adds the schemas that cases refer to by `schema_id`: lines of `{"schema_id", "sql"}`.
  ///
  /// - Throws: ``InvalidLine`` for a line that is not a valid schema.
  public func addSchemas(_ lines: Data) throws(InvalidLine) {
    for (number, line) in Self.split(lines) {
      let schema: ConformanceSchema = try decode(line, number)
      schemas[schema.schema_id] = schema.sql
    }
  }

  /// Evaluates every case of a file.
  ///
  /// - Parameters:
  ///   - lines: The cases. Empty lines are skipped.
  ///   - write: Called with each result, in order, without a line ending.
  /// - Throws: ``InvalidLine`` for a line that is not a valid case or that refers to an unknown
  ///   schema.
  public func answer(
    _ lines: Data, write: (String) -> Void
  ) throws(InvalidLine) {
    for (number, line) in Self.split(lines) {
      let value: ConformanceCase = try decode(line, number)
      var text = value.schema ?? ""
      if value.schema == nil, let id = value.schemaID {
        guard let known = schemas[id] else {
          throw InvalidLine(line: number, message: "no schema has the id \(id)")
        }
        text = known
      }
      let answer = Self.evaluateCase(value, catalog(of: text))
      do {
        write(String(decoding: try encoder.encode(answer), as: UTF8.self))
      } catch {
        throw InvalidLine(line: number, message: "\(error)")
      }
    }
  }

  private func decode<Value: Decodable>(
    _ line: Data, _ number: Int
  ) throws(InvalidLine) -> Value {
    do {
      return try decoder.decode(Value.self, from: line)
    } catch {
      throw InvalidLine(line: number, message: "\(error)")
    }
  }

  private static func split(_ lines: Data) -> [(number: Int, line: Data)] {
    lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .enumerated().filter { !$0.element.allSatisfy { $0 <= 0x20 } }
      .map { ($0.offset + 1, Data($0.element)) }
  }

  private func catalog(of text: String) -> Catalog {
    if let last, last.text == text { return last.catalog }
    var catalog = Catalog()
    let source = SourceText(text)
    var ignored = DiagnosticList()
    for entry in Parser.parseScript(source, diagnostics: &ignored).statements {
      var ignored = DiagnosticList()
      catalog.apply(entry.statement, source: source, diagnostics: &ignored)
    }
    last = (text, catalog)
    return catalog
  }

  private static func evaluateCase(_ value: ConformanceCase, _ catalog: Catalog)
    -> ConformanceResult
  {
    let source = SourceText(value.query)
    var diagnostics = DiagnosticList()
    let statement = Parser.parseFirstStatement(
      source, options: ParserOptions(allowsListParameters: true), diagnostics: &diagnostics)
    if let statement, !diagnostics.hasErrors {
      let analysis = Analyzer(catalog: catalog)
        .analyze(statement, source: source, diagnostics: &diagnostics)
      if !diagnostics.hasErrors { return ConformanceResult(id: value.id, analysis: analysis) }
    }
    if let refusal = diagnostics.diagnostics.first(where: { $0.severity == .error }) {
      return ConformanceResult(id: value.id, refusal: refusal)
    }
    // A text without a statement has no effect, and SQLite accepts it.
    return .nothing(id: value.id)
  }
}

/// A case: a statement and its schema.
struct ConformanceCase: Decodable {
  let id: String
  /// The statements that create the schema, if the case contains them.
  let schema: String?
  /// The schema's identifier in a file of schemas.
  let schemaID: String?
  let query: String

  private enum CodingKeys: String, CodingKey {
    case id, schema_id, schema_sql, query_sql
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    schema = try container.decodeIfPresent(String.self, forKey: .schema_sql)
    schemaID = try container.decodeIfPresent(String.self, forKey: .schema_id)
    query = try container.decode(String.self, forKey: .query_sql)
  }
}

/// A schema that several cases share.
struct ConformanceSchema: Decodable {
  let schema_id: String
  let sql: String
}

/// The result of a case. Unknown values are encoded as `null`; no key is omitted.
struct ConformanceResult: Encodable {
  let id: String
  let accept: Bool
  var error: Fault?
  var columns: [Column] = []
  var parameters: [Parameter] = []
  var readonly = true

  struct Fault: Encodable {
    let code: String
    let message: String
    let offset: Int
  }

  struct Column: Encodable {
    let name: String
    let type: String
    let nullable: Bool
    let table: String?
    let column: String?

    private enum CodingKeys: String, CodingKey {
      case name, type, nullable, table, column
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(type, forKey: .type)
      try container.encode(nullable, forKey: .nullable)
      try container.encode(table, forKey: .table)
      try container.encode(column, forKey: .column)
    }
  }

  struct Parameter: Encodable {
    let name: String?
    let index: Int
    let type: String
    let nullable: Bool

    private enum CodingKeys: String, CodingKey {
      case name, index, type, nullable
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(index, forKey: .index)
      try container.encode(type, forKey: .type)
      try container.encode(nullable, forKey: .nullable)
    }
  }

  private enum CodingKeys: String, CodingKey {
    case id, accept, error, columns, parameters, readonly
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(accept, forKey: .accept)
    try container.encode(error, forKey: .error)
    try container.encode(columns, forKey: .columns)
    try container.encode(parameters, forKey: .parameters)
    try container.encode(readonly, forKey: .readonly)
  }
}

extension ConformanceResult {
  /// The result for a text without a statement.
  static func nothing(id: String) -> ConformanceResult { ConformanceResult(id: id, accept: true) }

  /// The result for a statement that is rejected.
  init(id: String, refusal: Diagnostic) {
    self.id = id
    accept = false
    error = Fault(
      code: refusal.identity.rawValue, message: refusal.message, offset: refusal.span.start.value)
  }

  /// The result for a statement that is accepted.
  ///
  /// As in SQLite, every number up to the largest is a parameter, whether or not it is used.
  init(id: String, analysis: StatementAnalysis) {
    self.id = id
    accept = true
    columns = analysis.columns.map { column in
      Column(
        name: column.name, type: column.type.word, nullable: column.isNullable,
        table: column.table, column: column.column)
    }
    let used = Dictionary(
      analysis.parameters.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
    // With numbers as large as `?250000`, only the parameters in use are listed.
    let indexes =
      analysis.parameterCount <= 1000
      ? Array(1..<(analysis.parameterCount + 1)) : used.keys.sorted()
    parameters = indexes.map { index in
      Parameter(
        name: used[index]?.name, index: index, type: (used[index]?.type ?? .any).word,
        nullable: used[index]?.isNullable ?? true)
    }
    readonly = analysis.isReadOnly
  }
}

extension ValueType {
  /// The type's name in the output.
  fileprivate var word: String {
    switch self {
    case .integer: "integer"
    case .real: "real"
    case .text: "text"
    case .blob: "blob"
    case .boolean: "boolean"
    case .numeric: "numeric"
    case .any, .swift: "any"
    }
  }
}
