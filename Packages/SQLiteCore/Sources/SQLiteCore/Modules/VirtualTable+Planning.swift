extension VirtualTable {
  /// The constraints and the order of a query on a virtual table: the input of ``Table/bestIndex(_:)``.
  public struct IndexInfo: Hashable, Sendable {
    /// The terms of the `WHERE` clause that compare a column of the table, in SQLite's order.
    public let constraints: [Constraint]
    /// The terms of the `ORDER BY` or `GROUP BY` clause, or the columns of `DISTINCT`. Empty if the query has no such
    /// clause, or if the clause contains other expressions than the table's columns.
    public let orderBy: [OrderingTerm]
    /// A Boolean value that indicates whether rows with equal ``orderBy`` values need only be adjacent, in any order of
    /// these groups, for ``Plan/consumesOrder``. Always `false` before SQLite 3.38.
    public let needsOnlyGrouping: Bool
    /// A Boolean value that indicates whether the table may return only one of the rows with equal ``orderBy`` values,
    /// for ``Plan/consumesOrder``.
    public let allowsOmittingDuplicates: Bool
    let columnMask: UInt64

    /// Returns whether the query reads a column. Columns from index 63 on count as one.
    public func uses(_ column: ColumnIndex) -> Bool {
      guard column.rawValue >= 0 else { return false }
      return columnMask & 1 << UInt64(min(column.rawValue, 63)) != 0
    }
  }

  /// A term of the form *column* *operator* *value* that the rows must satisfy.
  public struct Constraint: Hashable, Sendable {
    /// The column on the left; `nil` for the rowid, and for `LIMIT` and `OFFSET`.
    public let column: ColumnIndex?
    /// The operator. `BETWEEN` produces two constraints, and `IN` produces ``Operator/equal`` with one value after the
    /// other, unless the plan uses the list as a whole.
    public let `operator`: Operator
    /// A Boolean value that indicates whether the value is known before the first row, so that a plan can use the
    /// constraint. In a join, the value may come from a table that is read later.
    public let isUsable: Bool
    /// The collation with which text is compared, `BINARY` by default.
    public let collation: String
    /// A Boolean value that indicates whether the constraint is an `IN` whose values a plan may use together: see
    /// ``Plan/useList(_:omit:)``. Always `false` before SQLite 3.38.
    public let isList: Bool
    /// The value on the right, if it is a literal; `nil` for parameters, lists, other columns and the NULL of
    /// `IS NULL`, and before SQLite 3.38.
    ///
    /// A table may choose its plan by the value, but must not rely on it: the plan still has to use the constraint.
    public let value: SQLiteValue?
    /// The constraint's index in ``IndexInfo/constraints``.
    let position: Int
  }

  /// An operator of a constraint. SQLite may add operators, so this is an open set.
  public struct Operator: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let equal = Operator(rawValue: 2)
    public static let greaterThan = Operator(rawValue: 4)
    public static let lessThanOrEqual = Operator(rawValue: 8)
    public static let lessThan = Operator(rawValue: 16)
    public static let greaterThanOrEqual = Operator(rawValue: 32)
    public static let match = Operator(rawValue: 64)
    public static let like = Operator(rawValue: 65)
    public static let glob = Operator(rawValue: 66)
    public static let regexp = Operator(rawValue: 67)
    public static let notEqual = Operator(rawValue: 68)
    public static let isNot = Operator(rawValue: 69)
    public static let isNotNull = Operator(rawValue: 70)
    public static let isNull = Operator(rawValue: 71)
    public static let `is` = Operator(rawValue: 72)
    /// The query's `LIMIT`, since SQLite 3.38. A plan that uses it must use all other constraints, and an
    /// ``offset`` that exists, with `omit`.
    public static let limit = Operator(rawValue: 73)
    /// The query's `OFFSET`, since SQLite 3.38. A plan that uses it with `omit` must skip the rows itself.
    public static let offset = Operator(rawValue: 74)

    /// A function of the table: see ``FunctionOverload``.
    ///
    /// - Parameter number: A number from 0 to 105 that the table chooses.
    public static func function(_ number: Int) -> Operator {
      precondition((0...105).contains(number), "the number of a function is from 0 to 105")
      return Operator(rawValue: 150 + UInt8(number))
    }
  }

  /// A term of an `ORDER BY` clause.
  public struct OrderingTerm: Hashable, Sendable {
    /// The column; `nil` for the rowid.
    public let column: ColumnIndex?
    /// A Boolean value that indicates whether the term is `DESC`.
    public let isDescending: Bool

    public init(column: ColumnIndex?, isDescending: Bool = false) {
      self.column = column
      self.isDescending = isDescending
    }
  }

  /// A query plan: the output of ``Table/bestIndex(_:)``.
  ///
  /// The default plan is a full table scan.
  public struct Plan: Hashable, Sendable {
    struct Argument: Hashable, Sendable {
      let constraint: Constraint
      let isOmitted: Bool
      let isList: Bool
    }

    private(set) var arguments: [Argument] = []
    /// A number that is passed to ``Cursor/filter(indexNumber:indexString:_:)``. Its meaning is defined by the table.
    public var indexNumber: Int32 = 0
    /// A text that is passed to ``Cursor/filter(indexNumber:indexString:_:)``. Its meaning is defined by the table. It
    /// must not contain NUL.
    public var indexString: String?
    /// The estimated cost, by which SQLite compares plans: approximately the number of visited rows. `nil` for SQLite's
    /// default, which is higher than any other. It must not be negative.
    public var estimatedCost: Double?
    /// The estimated number of rows that the cursor returns; `nil` for SQLite's default. It must not be negative.
    public var estimatedRows: Int64?
    /// A Boolean value that indicates whether the cursor returns the rows in the order of ``IndexInfo/orderBy``, so
    /// that SQLite need not sort.
    public var consumesOrder = false
    /// A Boolean value that indicates whether the cursor returns at most one row.
    public var isUnique = false

    public init() {}

    /// Passes the value of a constraint to ``Cursor/filter(indexNumber:indexString:_:)``, after the arguments of
    /// earlier calls.
    ///
    /// The constraint must be a usable constraint of the query's ``IndexInfo``, and must not be used twice. Otherwise
    /// the statement fails with code ``SQLiteError/Code/misuse``.
    ///
    /// - Parameters:
    ///   - constraint: The constraint whose value the cursor needs.
    ///   - omit: Whether the cursor returns only rows that satisfy the constraint, so that SQLite need not check it
    ///     again. Otherwise the cursor may return additional rows.
    public mutating func use(_ constraint: Constraint, omit: Bool = false) {
      arguments.append(Argument(constraint: constraint, isOmitted: omit, isList: false))
    }

    /// Passes all values of an `IN` constraint to ``Cursor/filter(indexNumber:indexString:_:)`` together, as the
    /// argument after the arguments of earlier calls. The cursor reads them with ``FunctionArguments/list(at:)``.
    ///
    /// Without this, SQLite calls the cursor's `filter` for one value after the other.
    ///
    /// ```swift
    /// for constraint in info.constraints where constraint.isUsable && constraint.column == 0 {
    ///   if constraint.isList { plan.useList(constraint, omit: true) }
    /// }
    /// ```
    ///
    /// The rules of ``use(_:omit:)`` hold, and the constraint must be one with ``Constraint/isList``.
    public mutating func useList(_ constraint: Constraint, omit: Bool = false) {
      arguments.append(Argument(constraint: constraint, isOmitted: omit, isList: true))
    }

    /// Throws if the plan breaks a rule.
    func check(against info: IndexInfo) throws(SQLiteError) {
      var used = Set<Int>()
      for (index, argument) in arguments.enumerated() {
        let constraint = argument.constraint
        guard info.constraints.indices.contains(constraint.position),
          info.constraints[constraint.position] == constraint
        else { throw Self.misuse("argument \(index) is of another query") }
        guard constraint.isUsable else {
          throw Self.misuse("argument \(index) uses a constraint that is not usable")
        }
        guard constraint.isList || !argument.isList else {
          throw Self.misuse(
            "argument \(index) uses a constraint as a list, but the constraint is not a list")
        }
        guard used.insert(constraint.position).inserted else {
          throw Self.misuse("argument \(index) uses a constraint that another argument uses")
        }
      }
      if let estimatedCost, !(estimatedCost >= 0) {
        throw Self.misuse("the cost \(estimatedCost) is not a positive number or zero")
      }
      if let estimatedRows, estimatedRows < 0 {
        throw Self.misuse("the number of rows \(estimatedRows) is negative")
      }
      if let indexString, indexString.utf8.contains(0) {
        throw Self.misuse("the index string contains a NUL character")
      }
    }

    private static func misuse(_ fault: String) -> SQLiteError {
      SQLiteError(code: .misuse, message: "the plan of the virtual table is invalid: \(fault)")
    }
  }
}
