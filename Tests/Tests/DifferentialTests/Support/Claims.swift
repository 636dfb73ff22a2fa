import QueryModel
import SQLSemantics
import SQLiteCore

/// A claim of an analysis that the engine contradicts.
struct FailedClaim: CustomStringConvertible {
  let sql: String
  let claim: String
  let fact: String
  /// A Boolean value that indicates whether the statement reads a column with values that do not
  /// match its declaration.
  var involvesUnsuitableValues = false

  var description: String { "\(sql)\n    claim: \(claim)\n    fact: \(fact)" }
}

/// The result of testing a statement's claims.
struct Trial {
  var failedClaims: [FailedClaim] = []
  var rowCount = 0
  /// The error with which the engine stopped before the last row, if any.
  var stop: String?
}

extension StatementAnalysis {
  /// Runs a statement, and tests the analysis with every row.
  ///
  /// - Parameters:
  ///   - rowLimit: The maximum number of rows.
  ///   - allowsOverflow: Whether integers may exceed 64 bits, which makes them REAL.
  func verifyClaims(
    against statement: SQLiteCore.Statement, values: [SQLiteValue] = [], rowLimit: Int = .max,
    allowsOverflow: Bool = false
  ) throws(SQLiteError) -> Trial {
    var trial = Trial()
    // `RETURNING` converts integers to REAL if the table's first column is a REAL.
    let allowsWholeReals = allowsOverflow || !isReadOnly
    func fail(_ claim: String, _ fact: String) {
      guard !trial.failedClaims.contains(where: { $0.claim == claim }) else { return }
      trial.failedClaims.append(FailedClaim(sql: statement.sql, claim: claim, fact: fact))
    }
    if !columns.map(\.name).matchesNames(statement.columnNames) {
      fail("columns \(columns.map(\.name))", "\(statement.columnNames)")
    }
    if parameterCount != statement.parameterCount {
      fail("\(parameterCount) parameters", "\(statement.parameterCount)")
    }
    if isReadOnly != statement.isReadOnly {
      fail(isReadOnly ? "reads only" : "writes", "the engine reports the opposite")
    }
    for (index, value) in values.enumerated() {
      try statement.bind(value, at: ParameterIndex(index + 1))
    }
    do {
      while trial.rowCount < rowLimit, try statement.step() {
        trial.rowCount += 1
        for (index, column) in columns.enumerated() where index < statement.columnCount {
          // Text that was converted from a blob and is not UTF-8 can't be read, but still has the
          // type text.
          let value =
            (try? statement.row.read(SQLiteValue.self, at: ColumnIndex(index))) ?? .text("?")
          if column.admits(value) || (allowsWholeReals && column.admitsWholeReal(value)) {
            continue
          }
          fail(
            "column \(index + 1) `\(column.name)` is \(column.type)"
              + (column.isNullable ? "?" : ""), "\(value.shown)")
        }
      }
      let isKept =
        switch cardinality {
        case .none: trial.rowCount == 0
        case .one: trial.rowCount == 1
        case .optional: trial.rowCount <= 1
        case .many: true
        }
      if !isKept { fail("\(cardinality) rows", "\(trial.rowCount)") }
    } catch {
      trial.stop = "\(error)"
    }
    return trial
  }
}

extension [String] {
  /// Returns whether these column names equal those that the engine reports.
  ///
  /// The engine numbers the sixth and later columns of one name at random, as in `id:4073304242`.
  /// `NATURAL` compares such names, so that any other name can then differ too.
  func matchesNames(_ names: [String]) -> Bool {
    self == names
      || names.contains { name in
        name.lastIndex(of: ":").flatMap { Int(name[$0...].dropFirst()) } ?? 0 > 4
      }
  }
}

extension StatementAnalysis.Column {
  /// Returns whether a column of this type can contain the value.
  func admits(_ value: SQLiteValue) -> Bool {
    switch (value, type) {
    case (.null, _): isNullable
    case (_, .any), (.integer, .integer), (.integer, .boolean), (.integer, .numeric),
      (.real, .real), (.real, .numeric), (.text, .text), (.blob, .blob):
      true
    case (.integer(let number), .real): Int64(exactly: Double(number)) == number
    default: false
    }
  }
}

extension StatementAnalysis.Column {
  /// Returns whether a column of integers can contain a value that was converted to REAL. A value
  /// that does not fit in 64 bits, such as an infinite one, can't be read as an integer, which is an
  /// error at run time.
  func admitsWholeReal(_ value: SQLiteValue) -> Bool {
    guard type == .integer || type == .boolean, case .real(let number) = value else { return false }
    return number == number.rounded()
  }
}

extension SQLiteValue {
  /// The storage class and the value, for messages.
  var shown: String { "\(storageClass.rawValue) \("\(self)".prefix(60))" }
}
