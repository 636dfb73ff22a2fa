internal import SQLiteCore

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
