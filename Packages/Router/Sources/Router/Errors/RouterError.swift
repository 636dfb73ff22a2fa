internal import Primitives
public import SQLiteCore

/// The reason why a route failed: branch on `code`.
///
/// Constraint violations are reported in the same form, regardless of the engine:
///
/// ```swift
/// do {
///   try await router(.users(.save(user)))
/// } catch let error as RouterError where error.constraint?.kind == .unique {
///   print("taken: \(error.constraint?.columns ?? [])")  // taken: ["email"]
/// }
/// ```
///
/// Other engine failures (a full disk, a busy database) are errors of the engine's own type, `SQLiteError`, which are
/// rethrown unchanged; their ``/Primitives/DataError/kind`` is independent of the engine. No error contains a value of a route.
public struct RouterError: Error, Hashable, Codable, Sendable {
  /// The error's code.
  public let code: Code
  /// A description of the error.
  public let message: String
  /// The table that the error refers to.
  public var table: String?
  /// The column that the error refers to.
  public var column: String?
  /// The violated constraint, with code ``Code/constraintViolation``.
  public var constraint: Constraint?
  /// The identifier of the route, if it has one.
  public var routeId: String?
  /// A short description of the route without its values: see ``DatabaseRoute/description``.
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

  /// An error code. Releases add codes: match those that you handle.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The database has no such table or view.
    public static let unknownTable = Code(rawValue: "unknownTable")
    /// The connection has no database with this name.
    public static let unknownSchema = Code(rawValue: "unknownSchema")
    /// The table has no such column.
    public static let unknownColumn = Code(rawValue: "unknownColumn")
    /// There is no foreign key between the two tables.
    public static let unknownRelation = Code(rawValue: "unknownRelation")
    /// The two tables are related in several ways: specify one by `via`.
    public static let ambiguousRelation = Code(rawValue: "ambiguousRelation")
    /// An update or a deletion would change a whole table implicitly: it has no filter, or a filter that is false for
    /// no row that the table can hold.
    ///
    /// The explicit filter for a whole table is ``DatabaseRoute/Filter/all``. Other whole-table filters are recognized
    /// as follows.
    ///
    /// - A filter counts as a whole-table filter if no row makes it *false*. Unknown results because of NULL are not
    ///   false: `a <= 5 || a >= 3` is rejected even if `a` can be NULL. A filter that tests for NULL, such as
    ///   `a.isNotNull()`, is rejected only if the column is `NOT NULL` or the rowid.
    /// - Comparisons and lists are combined for each column, with SQLite's order of numbers, text and blobs, and with
    ///   the affinity and the collation (`BINARY` or `NOCASE`) that the schema declares. The possible values follow
    ///   from the schema, not from the Swift type of a property: a `TEXT` column holds text and blobs, the rowid whole
    ///   numbers, and every other column any value, so that `a <= 3 || a >= 4` excludes 3.5.
    /// - A pattern that consists of `%` matches everything, as does an empty prefix, suffix or part, even if SQLite
    ///   is compiled to match no blobs. A JSON array contains the values of an empty list.
    /// - Other patterns, full text, regular expressions and JSON arrays are assumed to match or not, independently of
    ///   other conditions; so are `isTrue()` and `isFalse()` for text and blobs. Only a condition and its own negation
    ///   exclude each other: `t.like("a%") || !t.like("a%")` is rejected, and `t.like("a%") || !t.like("ab%")` is not.
    /// - For other collations, for databases in UTF-16, and for the columns of views and of virtual tables, different
    ///   values are not compared with each other; nor is a real number with a `TEXT` column, or text with digits that
    ///   is not an integer with a numeric column.
    /// - Rows that are excluded by a `CHECK` constraint, a foreign key or a trigger count as possible. A filter that
    ///   takes more than half a million steps to decide counts as one that excludes some row.
    ///
    /// Apart from such patterns, no filter is rejected that is false for a row that can be stored.
    public static let emptyFilter = Code(rawValue: "emptyFilter")
    /// Exactly one row is expected, and there is no row.
    public static let notFound = Code(rawValue: "notFound")
    /// At most one row is expected, and there are more.
    public static let multipleRows = Code(rawValue: "multipleRows")
    /// There are more rows than the limits allow: see ``DatabaseRoute/Limits/maximumRows``,
    /// ``DatabaseRoute/Limits/maximumAffected`` and ``DatabaseRoute/Limits/maximumAffectedByFilter``. Nothing was
    /// written.
    public static let tooManyRows = Code(rawValue: "tooManyRows")
    /// The database does not support the operation.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The route is inconsistent or malformed.
    public static let invalidRoute = Code(rawValue: "invalidRoute")
    /// A policy or a row filter rejects the route.
    public static let refused = Code(rawValue: "refused")
    /// A constraint of the database is violated: see ``RouterError/constraint``. Nothing was written.
    public static let constraintViolation = Code(rawValue: "constraintViolation")
    /// The route writes, and the database is read-only.
    public static let readOnly = Code(rawValue: "readOnly")
    /// There is no database, and no override answers the route.
    public static let unanswered = Code(rawValue: "unanswered")
    /// The type of an override's value does not match the requested type.
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
  /// Returns the error of an unknown table, with a suggestion if a known name is similar.
  public static func unknownTable(_ name: String, known: [String]) -> RouterError {
    RouterError(
      code: .unknownTable, message: "there is no table \(name)\(meant(name, known))", table: name)
  }

  /// The error of an unknown database, with a suggestion.
  static func unknownSchema(_ name: String, known: [String]) -> RouterError {
    let hint = meant(name, known)
    return RouterError(
      code: .unknownSchema,
      message: "the connection has no database \(name)"
        + (hint.isEmpty ? ": attach it in `Configuration.prepare`" : hint))
  }

  /// Returns the error of an unknown column, with a suggestion if a known name is similar.
  public static func unknownColumn(_ name: String, of table: String, known: [String]) -> RouterError
  {
    RouterError(
      code: .unknownColumn, message: "\(table) has no column \(name)\(meant(name, known))",
      table: table, column: name)
  }

  static func invalid(_ reason: String, column: String? = nil) -> RouterError {
    RouterError(code: .invalidRoute, message: reason, column: column)
  }

  private static func meant(_ name: String, _ known: [String]) -> String {
    EditDistance.nearest(to: name, among: known).map { "; did you mean \($0)?" } ?? ""
  }
}

extension RouterError {
  /// A constraint that a write violates.
  public struct Constraint: Hashable, Codable, Sendable {
    /// The kind of constraint.
    public var kind: Kind
    /// The constraint's columns, if the engine reports them. SQLite reports the columns of unique keys, primary keys
    /// and `NOT NULL` constraints.
    public var columns: [String]
    /// The constraint's name, if the engine reports it.
    ///
    /// SQLite reports the name of a unique index on expressions, and of a `CHECK` constraint; for a `CHECK` constraint
    /// without a name, it reports the beginning of the expression instead.
    public var name: String?

    public init(_ kind: Kind, columns: [String] = [], name: String? = nil) {
      self.kind = kind
      self.columns = columns
      self.name = name
    }

    /// A kind of constraint.
    public enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
      /// Another row has the same values in a unique key's columns.
      case unique
      /// Another row has the same primary key.
      case primaryKey
      /// A row refers to a row that does not exist, or can't be deleted because another row refers to it.
      case foreignKey
      /// A `NOT NULL` column has no value.
      case notNull
      /// A `CHECK` constraint is violated.
      case check
      /// Another rule of the database, such as a trigger, a virtual table's constraint or a strict column's type.
      case other
    }
  }

  /// Returns the error of a violated constraint, for example as a reply of an override.
  ///
  /// ```swift
  /// router.override(
  ///   \.users.save,
  ///   with: .failure(RouterError.violation(of: .init(.unique, columns: ["email"]), in: "users")))
  /// ```
  ///
  /// - Parameters:
  ///   - constraint: The violated constraint.
  ///   - table: The constraint's table.
  ///   - message: The engine's description.
  public static func violation(
    of constraint: Constraint, in table: String? = nil, message: String? = nil
  ) -> RouterError {
    RouterError(
      code: .constraintViolation,
      message: message ?? "the \(constraint.kind.rawValue) constraint is violated",
      table: table, column: constraint.columns.count == 1 ? constraint.columns.first : nil,
      constraint: constraint)
  }

  /// Creates the error of a constraint violation that SQLite reports; fails for other errors.
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

  /// Returns the name in `CHECK constraint failed: name` or in `UNIQUE constraint failed: index 'name'`.
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
