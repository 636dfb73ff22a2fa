/// Why a route was not run, or what it gave is not what was asked for: branch on `code`.
///
/// What SQLite itself refuses (a constraint, a full disk) is an `SQLiteError`, as it comes. No error holds a
/// value of a route.
public struct RouterError: Error, Hashable, Codable, Sendable {
  /// What is wrong.
  public let code: Code
  /// The same for a person.
  public let message: String
  /// The table that it is about.
  public var table: String?
  /// The column that it is about.
  public var column: String?
  /// The id of the route, where it has one.
  public var routeId: String?
  /// The route in short, without its values: see ``DatabaseRoute/description``.
  public var route: String?

  public init(
    code: Code, message: String, table: String? = nil, column: String? = nil,
    routeId: String? = nil, route: String? = nil
  ) {
    self.code = code
    self.message = message
    self.table = table
    self.column = column
    self.routeId = routeId
    self.route = route
  }

  /// What is wrong with a route. Releases add codes: match what you handle.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The database has no such table or view.
    public static let unknownTable = Code(rawValue: "unknownTable")
    /// The connection has no database of that name.
    public static let unknownSchema = Code(rawValue: "unknownSchema")
    /// The table has no such column.
    public static let unknownColumn = Code(rawValue: "unknownColumn")
    /// No foreign key leads from the one table to the other.
    public static let unknownRelation = Code(rawValue: "unknownRelation")
    /// Several foreign keys lead from the one table to the other: say which, by `via`.
    public static let ambiguousRelation = Code(rawValue: "ambiguousRelation")
    /// An update or a deletion is of all rows, and does not say so: it has no filter, or one that is true of every
    /// row by its form.
    ///
    /// That is seen of conditions that are always true (not in an empty list), and of what joins conditions on which
    /// columns are NULL, true, in a list, and less than, equal to or greater than a value, each with what NULL
    /// makes of it: `a.isNull() || a.isNotNull()`. A primary key of integers and a column that is `NOT NULL` are never
    /// NULL. What several values have to do with one another, and what patterns, full text and JSON find, is not
    /// looked into, nor is it where there are more than a few hundred cases.
    public static let emptyFilter = Code(rawValue: "emptyFilter")
    /// One row is demanded, and there is none.
    public static let notFound = Code(rawValue: "notFound")
    /// One row is demanded, and there are more.
    public static let multipleRows = Code(rawValue: "multipleRows")
    /// There are more rows than are allowed.
    public static let tooManyRows = Code(rawValue: "tooManyRows")
    /// The database has no such operator.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The parts of the route do not go together.
    public static let invalidRoute = Code(rawValue: "invalidRoute")
    /// A policy forbids it, or the row is none that may be written.
    public static let refused = Code(rawValue: "refused")
    /// The route writes, and the database can only be read.
    public static let readOnly = Code(rawValue: "readOnly")
    /// Nothing stands in the place of the database, and no override answers the route.
    public static let unanswered = Code(rawValue: "unanswered")
    /// An override answers with a value of another type than is asked for.
    public static let mismatch = Code(rawValue: "mismatch")

    public var description: String { rawValue }
  }
}

extension RouterError: CustomStringConvertible {
  public var description: String {
    let of = route.map { ", in: \($0)" } ?? ""
    return "\(code): \(message)\(routeId.map { " (route \($0))" } ?? "")\(of)"
  }
}

extension RouterError {
  /// A table that is not there, with the name that was meant perhaps.
  static func unknownTable(_ name: String, known: [String]) -> RouterError {
    RouterError(
      code: .unknownTable, message: "there is no table \(name)\(meant(name, known))", table: name)
  }

  /// A database that a connection does not have, with the name that was meant perhaps.
  static func unknownSchema(_ name: String, known: [String]) -> RouterError {
    let hint = meant(name, known)
    return RouterError(
      code: .unknownSchema,
      message: "the connection has no database \(name)"
        + (hint.isEmpty ? ": attach it where each connection is prepared" : hint))
  }

  /// A column that is not there, with the name that was meant perhaps.
  static func unknownColumn(_ name: String, of table: String, known: [String]) -> RouterError {
    RouterError(
      code: .unknownColumn, message: "\(table) has no column \(name)\(meant(name, known))",
      table: table, column: name)
  }

  static func invalid(_ reason: String, column: String? = nil) -> RouterError {
    RouterError(code: .invalidRoute, message: reason, column: column)
  }

  private static func meant(_ name: String, _ known: [String]) -> String {
    Spelling.nearest(to: name, in: known).map { "; did you mean \($0)?" } ?? ""
  }
}
