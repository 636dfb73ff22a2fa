internal import Primitives
public import SQLiteCore

/// Why a route was not run, or what it gave is not what was asked for: branch on `code`.
///
/// A violated constraint is reported in the same way whichever engine ran the route:
///
/// ```swift
/// do {
///   try await router(.users(.save(user)))
/// } catch let error as RouterError where error.constraint?.kind == .unique {
///   print("taken: \(error.constraint?.columns ?? [])")  // taken: ["email"]
/// }
/// ```
///
/// Other failures of the engine (a full disk, a busy database) are errors of the engine's own type, `SQLiteError`, which
/// pass through unchanged; their ``DataError/kind`` does not depend on the engine. No error holds a value of a route.
public struct RouterError: Error, Hashable, Codable, Sendable {
  /// What is wrong.
  public let code: Code
  /// The same for a person.
  public let message: String
  /// The table that it is about.
  public var table: String?
  /// The column that it is about.
  public var column: String?
  /// The constraint that is not satisfied, with code ``Code/constraintViolation``.
  public var constraint: Constraint?
  /// The id of the route, where it has one.
  public var routeId: String?
  /// The route in short, without its values: see ``DatabaseRoute/description``.
  public var route: String?

  public init(
    code: Code, message: String, table: String? = nil, column: String? = nil,
    routeId: String? = nil, route: String? = nil, constraint: Constraint? = nil
  ) {
    self.code = code
    self.message = message
    self.table = table
    self.column = column
    self.routeId = routeId
    self.route = route
    self.constraint = constraint
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
    /// An update or a deletion would change a whole table without saying so: it has no filter, or a
    /// filter that is false for no row that the table can hold.
    ///
    /// A filter for a whole table is ``DatabaseRoute/Filter/all``. The others are recognized as
    /// follows.
    ///
    /// - A filter counts as one of a whole table if no row makes it *false*. What NULL makes
    ///   unknown is not false: `a <= 5 || a >= 3` is refused also if `a` can be NULL. A filter that asks for NULL itself, such as `a.isNotNull()`, is refused
    ///   only if the column is `NOT NULL` or the rowid.
    /// - Comparisons and lists are compared with one another, for each column: as SQLite orders
    ///   numbers, texts and blobs, with the affinity and the collation (`BINARY` or `NOCASE`) that
    ///   the schema declares. The schema decides which values there can be, and not the Swift type
    ///   of a property: a `TEXT` column holds texts and blobs, the rowid whole numbers, and every
    ///   other column any value, so that `a <= 3 || a >= 4` leaves out 3.5.
    /// - A pattern of nothing but `%` matches everything, and so does an empty prefix, suffix or
    ///   part; a SQLite that is compiled to match no blobs is no exception. A JSON array contains
    ///   the values of an empty list.
    /// - Other patterns, full text, regular expressions and JSON arrays may or may not match,
    ///   whatever other conditions say; so may `isTrue()` and `isFalse()` for texts and blobs. Only
    ///   a condition and its own negation exclude each other: `t.like("a%") || !t.like("a%")` is
    ///   refused, and `t.like("a%") || !t.like("ab%")` is not.
    /// - For other collations, for databases in UTF-16, and for the columns of views and of virtual
    ///   tables, different values are not compared with each other; nor is a real number with a
    ///   `TEXT` column, or a text with digits that is no integer with a column of numbers.
    /// - Rows that a `CHECK` constraint, a foreign key or a trigger rules out count as possible. A
    ///   filter that takes more than half a million steps to decide counts as one that excludes
    ///   some row.
    ///
    /// Apart from such patterns, no filter is refused that is false for a row that can be stored.
    public static let emptyFilter = Code(rawValue: "emptyFilter")
    /// One row is demanded, and there is none.
    public static let notFound = Code(rawValue: "notFound")
    /// One row is demanded, and there are more.
    public static let multipleRows = Code(rawValue: "multipleRows")
    /// There are more rows than are allowed: see ``DatabaseRoute/Limits/maximumRows``,
    /// ``DatabaseRoute/Limits/maximumAffected`` and ``DatabaseRoute/Limits/maximumAffectedByFilter``. Nothing was
    /// written.
    public static let tooManyRows = Code(rawValue: "tooManyRows")
    /// The database has no such operator.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The parts of the route do not go together.
    public static let invalidRoute = Code(rawValue: "invalidRoute")
    /// A policy forbids it, or the row is none that may be written.
    public static let refused = Code(rawValue: "refused")
    /// A constraint of the database is not satisfied: see ``RouterError/constraint``. Nothing was written.
    public static let constraintViolation = Code(rawValue: "constraintViolation")
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
    Suggestion.nearest(to: name, among: known).map { "; did you mean \($0)?" } ?? ""
  }
}

extension RouterError {
  /// A constraint that the rows of a write don't satisfy.
  public struct Constraint: Hashable, Codable, Sendable {
    /// The kind of constraint.
    public var kind: Kind
    /// The columns of the constraint, as far as the engine names them. SQLite names those of unique keys, primary
    /// keys and `NOT NULL`.
    public var columns: [String]
    /// The name of the constraint if the engine reports it.
    ///
    /// SQLite names a unique index on expressions, and a `CHECK` constraint; for one without a name it reports
    /// the beginning of its expression instead.
    public var name: String?

    public init(_ kind: Kind, columns: [String] = [], name: String? = nil) {
      self.kind = kind
      self.columns = columns
      self.name = name
    }

    /// A kind of constraint.
    public enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
      /// Another row has the same values in the columns of a unique key.
      case unique
      /// Another row has the same primary key.
      case primaryKey
      /// A row refers to one that does not exist, or is referred to and can't be deleted.
      case foreignKey
      /// A column that can't be NULL was given no value.
      case notNull
      /// A `CHECK` constraint is not satisfied.
      case check
      /// Another rule of the database: a trigger's, a virtual table's, a strict column's type.
      case other
    }
  }

  /// The error of a violated constraint, to answer with in place of a database.
  ///
  /// ```swift
  /// router.override(
  ///   \.users.save,
  ///   with: .failure(RouterError.violation(of: .init(.unique, columns: ["email"]), in: "users")))
  /// ```
  ///
  /// - Parameters:
  ///   - constraint: The constraint that is not satisfied.
  ///   - table: The table that has the constraint.
  ///   - message: The engine's description.
  public static func violation(
    of constraint: Constraint, in table: String? = nil, message: String? = nil
  ) -> RouterError {
    RouterError(
      code: .constraintViolation,
      message: message ?? "the \(constraint.kind.rawValue) constraint is not satisfied",
      table: table, column: constraint.columns.count == 1 ? constraint.columns.first : nil,
      constraint: constraint)
  }

  /// The violated constraint that SQLite reports; fails for any other error.
  init?(violationIn error: SQLiteError) {
    let kind: Constraint.Kind
    switch error.code {
    case .constraintPrimaryKey, .constraintRowID: kind = .primaryKey
    case _ where error.kind == .uniqueViolation: kind = .unique
    case _ where error.kind == .foreignKeyViolation: kind = .foreignKey
    case _ where error.kind == .notNullViolation: kind = .notNull
    case _ where error.kind == .checkViolation: kind = .check
    case _ where error.kind.isConstraintViolation: kind = .other
    default: return nil
    }
    let place = error.place
    self = .violation(
      of: Constraint(
        kind, columns: place.columns, name: Self.constraintName(kind, error.message)),
      in: place.table, message: error.message)
  }

  /// The name in `CHECK constraint failed: name` and in `UNIQUE constraint failed: index 'name'`.
  private static func constraintName(_ kind: Constraint.Kind, _ message: String) -> String? {
    guard let words = message.firstRange(of: "constraint failed: ") else { return nil }
    let rest = message[words.upperBound...]
    switch kind {
    case .check: return String(rest)
    case .unique where rest.hasPrefix("index '") && rest.hasSuffix("'"):
      return String(rest.dropFirst("index '".count).dropLast())
    default: return nil
    }
  }
}

extension RouterError: DataError {
  public var kind: DataErrorKind {
    switch code {
    case .unknownTable, .unknownSchema, .unknownColumn, .unknownRelation, .ambiguousRelation,
      .emptyFilter, .invalidRoute:
      .invalidRequest
    case .notFound: .notFound
    case .multipleRows: .tooManyRows
    case .tooManyRows: .limitExceeded
    case .unsupported: .unsupported
    case .refused: .denied
    case .readOnly: .readOnly
    case .unanswered: .unavailable
    case .mismatch: .typeMismatch
    case .constraintViolation: constraint?.kind.dataErrorKind ?? .constraintViolation
    default: .other
    }
  }

  public var place: DataErrorPlace {
    DataErrorPlace(table: table, columns: constraint?.columns ?? column.map { [$0] } ?? [])
  }
}

extension RouterError.Constraint.Kind {
  fileprivate var dataErrorKind: DataErrorKind {
    switch self {
    case .unique, .primaryKey: .uniqueViolation
    case .foreignKey: .foreignKeyViolation
    case .notNull: .notNullViolation
    case .check: .checkViolation
    case .other: .constraintViolation
    }
  }
}
