import PostgreSQL

/// An error of a PostgreSQL server, with the database and the position in the SQL of the command line.
struct ServerFailure: Error {
  var error: PostgreSQLError
  /// The database, without the password.
  var database: String
  /// The SQL that the user wrote, and the position in it.
  var sql: (text: String, offset: Int)?

  /// Returns an error with its database, if it is one of PostgreSQL.
  static func describing(_ error: any Error, in database: String) -> any Error {
    (error as? PostgreSQLError).map { ServerFailure(error: $0, database: database) } ?? error
  }

  var hint: String? { error.hint }

  var message: String {
    let names = [error.table, error.column].compactMap(\.self).joined(separator: ".")
    let place = [names, error.constraint ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
    let isNamed = error.message.contains("\"") || place.isEmpty
    return error.message + (isNamed ? "" : " (\(place))")
  }
}
