import PostgreSQL
import Primitives
import SQLiteCore
import Terminal

/// Runs a script's statements on PostgreSQL and writes the resulting rows.
///
/// Without `writes`, all statements run in one read-only transaction.
struct ServerScript {
  private let connection: PostgreSQLConnection
  private let database: String
  private let output: Borrowed<RowOutput>
  private let writes: Bool
  private var parameters: ServerParameters
  /// Indicates whether a transaction is open, and whether the script began it.
  private var (isOpen, isOwn) = (false, false)
  /// The number of changed rows.
  private(set) var changeCount = 0

  init(
    _ connection: PostgreSQLConnection, database: String, _ parameters: ServerParameters,
    _ output: RowOutput, writes: Bool
  ) {
    (self.connection, self.database, self.parameters) = (connection, database, parameters)
    (self.output, self.writes) = (Borrowed(output), writes)
  }

  /// Runs the script. An error rolls its open transaction back.
  ///
  /// - Throws: `ServerFailure` with the position in the script; `ToolError` if a value is missing.
  mutating func run(_ script: String) async throws {
    if !writes {
      // A query is required so that `SET TRANSACTION READ WRITE` has no effect.
      try await connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      try await connection.run("SELECT 1")
    }
    for statement in PostgreSQLScript(script).statements {
      let numbered = statement.numbered(
        names: parameters.names,
        includesQuestionMarks: parameters.hasOrdered && !Self.hasNumbers(statement.text))
      do {
        try await run(statement, numbered)
      } catch {
        throw located(error, statement, numbered, script)
      }
    }
    try parameters.throwIfUnused()
    if writes, isOpen, !isOwn { try await commit() }
  }

  private mutating func run(
    _ statement: PostgreSQLScript.Statement, _ numbered: PostgreSQLScript.NumberedStatement
  ) async throws {
    try await updateTransaction(for: statement.text)
    let query = PostgreSQLQuery(unsafe: numbered.text)
    let description = try await connection.describe(query)
    let values = try parameters.values(of: numbered, count: description.parameterTypes.count)
    guard !description.columns.isEmpty else {
      let changes = try await connection.run(query, values: values)
      if ["INSERT", "UPDATE", "DELETE", "MERGE"].contains(where: { changes.tag.hasPrefix($0) }) {
        changeCount += changes.count
      }
      return
    }
    let types = try await ServerResultTypes(description.columns.map(\.type), connection)
    try output.value.begin(
      description.columns.map(\.name), types: types.columns.map(\.sqliteDeclaration))
    let readable = types.readable(numbered.text).map { PostgreSQLQuery(unsafe: $0) } ?? query
    let (output, connection) = (output, connection)
    let changes = try await Receiving.run({ row in
      var values: [SQLiteValue] = []
      for (index, type) in types.columns.enumerated() {
        values.append(type.shownValue(try row.read(DataValue.self, at: index)))
      }
      try output.value.add(values)
    }) { body in
      try await connection.forEach(readable, values: values, body: body)
    }
    try output.value.end()
    if ["INSERT", "UPDATE", "DELETE", "MERGE"].contains(where: { changes.tag.hasPrefix($0) }) {
      changeCount += changes.count
    }
  }

  // MARK: Transactions

  /// Begins the transaction before the first statement, and commits it before a statement that must run outside a
  /// transaction.
  private mutating func updateTransaction(for sql: String) async throws {
    let tokens = SQLTokens(sql)
    func begins(with words: String...) -> Bool { words.contains { tokens.is(0, $0) } }
    let controls = begins(
      with: "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE",
      "PREPARE")
    guard writes else {
      let isSetting = begins(with: "SET", "RESET", "DISCARD")
      if controls || isSetting && (tokens.count < 2 || !tokens.is(1, "LOCAL")) {
        throw ToolError(
          "the SQL would end the read-only transaction or change its settings",
          hint: "pass --write to allow it, or use SET LOCAL")
      }
      return
    }
    let standsAlone =
      begins(with: "VACUUM")
      || begins(with: "CREATE", "DROP")
        && (tokens.is(1, "DATABASE") || tokens.is(1, "TABLESPACE"))
      || tokens.are(0, "ALTER", "SYSTEM")
      || begins(with: "CREATE", "DROP", "REINDEX", "REFRESH")
        && (1..<tokens.count).contains { tokens.is($0, "CONCURRENTLY") }
    if controls || standsAlone {
      if isOpen, !isOwn { try await commit() }
      if begins(with: "BEGIN", "START") { (isOpen, isOwn) = (true, true) }
      if begins(with: "COMMIT", "END", "ABORT")
        || tokens.is(0, "ROLLBACK") && !(1..<tokens.count).contains(where: { tokens.is($0, "TO") })
      {
        (isOpen, isOwn) = (false, false)
      }
    } else if !isOpen {
      try await connection.run("BEGIN")
      (isOpen, isOwn) = (true, false)
    }
  }

  private mutating func commit() async throws {
    isOpen = false
    let changes = try await connection.run("COMMIT")
    guard changes.tag == "COMMIT" else {
      throw ToolError("the server rolled the transaction back", file: database)
    }
  }

  // MARK: Errors

  private static func hasNumbers(_ sql: String) -> Bool {
    let tokens = SQLTokens(sql)
    return (0..<tokens.count).contains { index in
      tokens.kind(index) == .parameter && tokens.text(index).hasPrefix("$")
        && tokens.text(index).dropFirst().allSatisfy(\.isNumber)
    }
  }

  private func located(
    _ error: any Error, _ statement: PostgreSQLScript.Statement,
    _ numbered: PostgreSQLScript.NumberedStatement, _ script: String
  ) -> any Error {
    guard let error = error as? PostgreSQLError else { return error }
    if error.code == .readOnlyTransaction, !writes {
      return ToolError(
        "the SQL would change the data, but the database is opened read-only",
        hint: "pass --write to allow changes")
    }
    var failure = ServerFailure(error: error, database: database)
    if error.sql == numbered.text, let offset = error.place.position?.byteOffset {
      failure.sql = (script, statement.byteOffset + numbered.originalOffset(offset))
    }
    return failure
  }
}

/// The types of a result's columns.
struct ServerResultTypes: Sendable {
  let columns: [ColumnType]
  /// Indicates whether the client reads each type in the notation that is shown.
  private let isReadable: Bool

  /// - Throws: `PostgreSQLError`.
  init(_ types: [PostgreSQLType], _ connection: PostgreSQLConnection) async throws {
    var columns = types.map { Self.known[$0] }
    let unknown = Set(zip(types, columns).filter { $1 == nil }.map(\.0))
    var named: [PostgreSQLType: (type: ColumnType, isEnumeration: Bool)] = [:]
    if !unknown.isEmpty {
      let rows = try await connection.fetchAll(
        CatalogRow.self,
        "SELECT oid::int8, format_type(oid, NULL), typtype = 'e' FROM pg_type WHERE oid = ANY ($1)",
        unknown.map(\.rawValue))
      for row in rows {
        guard let id = UInt32(exactly: row.integer(0)) else { continue }
        named[PostgreSQLType(rawValue: id)] = (
          ColumnType(postgreSQL: row.text(1)), row.bool(2)
        )
      }
      columns = zip(types, columns).map { $1 ?? named[$0]?.type }
    }
    self.columns = columns.map { $0 ?? .text }
    isReadable = named.values.allSatisfy { $0.type.isWritable || $0.isEnumeration }
  }

  private static let known: [PostgreSQLType: ColumnType] = [
    .bool: .boolean, .int2: .smallint, .int4: .integer, .int8: .bigint, .oid: .bigint,
    .float4: .float4, .float8: .float8, .numeric: .numeric(precision: nil, scale: 0),
    .text: .text, .varchar: .text, .bytea: .bytea, .date: .date, .time: .time,
    .timestamp: .timestamp, .timestamptz: .timestamptz, .uuid: .uuid, .json: .json, .jsonb: .jsonb,
  ]

  /// Returns a statement that converts the columns that the client does not read as text; `nil` if there are none.
  ///
  /// A statement that changes rows can't be part of another one. The client's notation is used for it.
  func readable(_ sql: String) -> String? {
    let tokens = SQLTokens(sql)
    guard !isReadable, ["SELECT", "WITH", "VALUES", "TABLE"].contains(where: { tokens.is(0, $0) })
    else { return nil }
    let changes = ["INSERT", "UPDATE", "DELETE", "MERGE", "INTO"]
    guard
      !(0..<tokens.count).contains(where: { index in
        changes.contains { tokens.is(index, $0) }
      })
    else { return nil }
    let names = columns.indices.map { "c\($0)" }
    let list = zip(columns, names).map { $0.postgreSQLExpression("holt.\($1)") }
    return
      "SELECT \(list.joined(separator: ", ")) FROM (\(sql)\n) AS holt (\(names.joined(separator: ", ")))"
  }
}

extension ColumnType {
  /// Returns the value with which a result shows a value of this type.
  func shownValue(_ value: DataValue) -> SQLiteValue {
    if let value = try? sqliteValue(value) { return value }
    switch value {
    case .real: return .text("NaN")
    case .decimal(let text), .json(let text): return .text(text)
    case .array(let elements):
      let parts = elements.map { JSONText.value(shownValue($0)).description }
      return .text("[\(parts.joined(separator: ","))]")
    default: return .null
    }
  }
}

/// The values of a script's parameters.
struct ServerParameters {
  private let named: [String: ServerArgument]
  private let ordered: [ServerArgument]
  private var used: Set<String> = []
  private var position = 0

  init(_ options: ParameterOptions) {
    var named: [String: ServerArgument] = [:]
    for text in options.params {
      guard let (name, _) = Parameters.named(text), let equals = text.firstIndex(of: "=") else {
        continue
      }
      named[name] = ServerArgument(text: String(text[text.index(after: equals)...]))
    }
    self.named = named
    ordered = options.arguments.map { ServerArgument(text: $0) }
  }

  var names: Set<String> { Set(named.keys) }
  var hasOrdered: Bool { !ordered.isEmpty }

  /// Returns the values of a statement's parameters.
  ///
  /// - Throws: `ToolError` if a value is missing.
  mutating func values(
    of statement: PostgreSQLScript.NumberedStatement, count: Int
  ) throws -> [any PostgreSQLBindable & Sendable] {
    var values: [any PostgreSQLBindable & Sendable] = []
    for parameter in statement.parameters {
      switch parameter {
      case .named(let name):
        used.insert(name)
        values.append(named[name] ?? ServerArgument(text: "NULL"))
      case .questionMark: values.append(try next(count))
      }
    }
    while values.count < count { values.append(try next(count)) }
    return values
  }

  private mutating func next(_ count: Int) throws -> ServerArgument {
    guard position < ordered.count else {
      throw ToolError(
        "the SQL has \(count.counted("parameter")), but too few values are given",
        hint: "pass --arg once for each parameter, in order")
    }
    position += 1
    return ordered[position - 1]
  }

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

/// A value of the command line, which is converted to the type that the server expects.
struct ServerArgument: PostgreSQLBindable, Sendable {
  var text: String

  var postgreSQLValue: PostgreSQLValue { .text(text) }

  func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError) {
    let literal = Parameters.value(text)
    if literal == .null { return parameters.writeNull() }
    let content = if case .text(let unquoted) = literal { unquoted } else { text }
    switch parameters.type {
    case .int2, .int4, .int8, .oid:
      guard let number = Int64(content) else { throw parameters.mismatch("text") }
      try parameters.write(integer: number)
    case .float4, .float8:
      guard let number = Double(content) else { throw parameters.mismatch("text") }
      try parameters.write(real: number)
    case .numeric: try parameters.write(decimal: content)
    case .bool:
      switch content.asciiLowercased {
      case "true", "t", "1", "yes", "on": try parameters.write(bool: true)
      case "false", "f", "0", "no", "off": try parameters.write(bool: false)
      default: throw parameters.mismatch("text")
      }
    case .bytea:
      guard case .blob(let bytes) = literal else { throw parameters.mismatch("text") }
      try parameters.write(blob: bytes)
    case .date: try DataValue.date(content).bind(to: &parameters)
    case .time: try DataValue.time(CalendarText.time(content) ?? content).bind(to: &parameters)
    case .timestamp:
      try DataValue.timestamp(CalendarText.timestamp(content) ?? content).bind(to: &parameters)
    case .timestamptz:
      try DataValue.timestampWithZone(CalendarText.timestampWithZone(content) ?? content)
        .bind(to: &parameters)
    case .uuid: try DataValue.uuid(content).bind(to: &parameters)
    default: try parameters.write(text: content)
    }
  }
}

/// A value that is passed to functions of the PostgreSQL client, which run it one after another.
///
/// `@unchecked Sendable`: the task that created the value suspends while another thread uses it.
final class Borrowed<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
