internal import CLibPQ
internal import Primitives

/// Owns one `PGresult *`, which can be read on any thread.
///
/// `@unchecked Sendable`: libpq never changes a complete result.
@safe final class ResultHandle: @unchecked Sendable {
  let result: OpaquePointer

  init(_ result: OpaquePointer) { unsafe self.result = result }

  deinit { unsafe PQclear(result) }

  var status: ExecStatusType { unsafe PQresultStatus(result) }

  var rowCount: Int32 { unsafe PQntuples(result) }

  /// The command tag, such as `INSERT 0 1`.
  var tag: String { unsafe String(cString: PQcmdStatus(result)) }

  /// The number of rows that the command affected; 0 if the tag has none.
  var affectedCount: Int { unsafe Int(String(cString: PQcmdTuples(result))) ?? 0 }

  /// The types of the parameters, in the description of a statement.
  var parameterTypes: [PostgreSQLType] {
    unsafe (0..<PQnparams(result)).map { unsafe PostgreSQLType(PQparamtype(result, $0)) }
  }

  var columnTypes: [PostgreSQLType] {
    unsafe (0..<PQnfields(result)).map { unsafe PostgreSQLType(PQftype(result, $0)) }
  }

  /// - Parameter isDescription: Whether the result describes a statement, so that the details of its columns are
  ///   kept.
  func columns(
    sql: String?, catalog: TypeCatalog, isDescription: Bool = false
  ) -> ResultColumns {
    let names = unsafe (0..<PQnfields(result)).map { index in
      unsafe PQfname(result, index).map { unsafe String(cString: $0) } ?? ""
    }
    return ResultColumns(
      sql: sql, names: names, types: columnTypes, catalog: catalog,
      details: isDescription ? columnDetails : [])
  }

  /// The type modifiers and the origins of the columns.
  var columnDetails: [ResultColumns.Detail] {
    unsafe (0..<PQnfields(result)).map { index in
      unsafe ResultColumns.Detail(
        typeModifier: PQfmod(result, index), table: PQftable(result, index),
        tableColumn: Int(PQftablecol(result, index)))
    }
  }

  /// Returns whether the result has columns of these types.
  func matches(_ columns: ResultColumns) -> Bool {
    guard unsafe Int(PQnfields(result)) == columns.count else { return false }
    for index in 0..<columns.count
    where unsafe PQftype(result, Int32(index)) != columns.types[index].rawValue {
      return false
    }
    return true
  }

  /// The server's error.
  func error(sql: String?, showsValues: Bool) -> PostgreSQLError {
    unsafe Self.error(of: result, sql: sql, showsValues: showsValues)
  }

  /// The server's error in a result.
  static func error(of result: OpaquePointer, sql: String?, showsValues: Bool) -> PostgreSQLError {
    func field(_ code: Int32) -> String? {
      unsafe PQresultErrorField(result, code).map { unsafe String(cString: $0) }
    }
    guard let state = field(DiagnosticField.sqlstate) else {
      // Without an SQLSTATE, the message is libpq's own: the connection has ended.
      let message = unsafe String(cString: PQresultErrorMessage(result)).trimmedMessage
      return PostgreSQLError(code: .connectionLost, message: message, sql: sql)
    }
    let code = PostgreSQLError.Code(rawValue: state)
    let original = field(DiagnosticField.message) ?? ""
    return PostgreSQLError(
      PostgreSQLError.Fields(
        code: code,
        message: showsValues ? original : code.messageWithoutValues ?? original,
        sql: sql, position: field(DiagnosticField.position).flatMap { Int($0) },
        schema: field(DiagnosticField.schema), table: field(DiagnosticField.table),
        column: field(DiagnosticField.column), constraint: field(DiagnosticField.constraint),
        detail: showsValues ? field(DiagnosticField.detail) : nil,
        hint: field(DiagnosticField.hint)))
  }

  /// The contents of a notice.
  static func notice(_ result: OpaquePointer) -> PostgreSQLNotice {
    func field(_ code: Int32) -> String {
      unsafe PQresultErrorField(result, code).map { unsafe String(cString: $0) } ?? ""
    }
    return PostgreSQLNotice(
      severity: field(DiagnosticField.severity),
      code: .init(rawValue: field(DiagnosticField.sqlstate)),
      message: field(DiagnosticField.message))
  }
}

/// The codes of an error's fields, which the headers define as characters.
private enum DiagnosticField {
  static let severity = Int32(UInt8(ascii: "V"))
  static let sqlstate = Int32(UInt8(ascii: "C"))
  static let message = Int32(UInt8(ascii: "M"))
  static let detail = Int32(UInt8(ascii: "D"))
  static let hint = Int32(UInt8(ascii: "H"))
  static let position = Int32(UInt8(ascii: "P"))
  static let schema = Int32(UInt8(ascii: "s"))
  static let table = Int32(UInt8(ascii: "t"))
  static let column = Int32(UInt8(ascii: "c"))
  static let constraint = Int32(UInt8(ascii: "n"))
}

extension String {
  /// The text on one line, without the whitespace at its end.
  var trimmedMessage: String {
    split(separator: "\n").map { line in
      line.drop { $0 == "\t" || $0 == " " }
    }.joined(separator: "; ")
  }
}

extension ResultHandle {
  /// The kind of a pipeline's result.
  enum Kind {
    case rows, error, aborted, sync, copy
  }

  var kind: Kind {
    switch status {
    case PGRES_PIPELINE_SYNC: .sync
    case PGRES_PIPELINE_ABORTED: .aborted
    case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR: .error
    case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH: .copy
    default: .rows
    }
  }

  func forEachRow(
    _ columns: ResultColumns, _ body: (borrowing PostgreSQLRow) throws -> Void
  ) throws {
    // The rows refer to the result.
    try withExtendedLifetime(self) {
      for index in 0..<rowCount {
        try unsafe body(PostgreSQLRow(result, row: index, number: Int(index) + 1, columns: columns))
      }
    }
  }
}
