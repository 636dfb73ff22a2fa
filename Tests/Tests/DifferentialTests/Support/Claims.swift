import QueryModel
import SQLSemantics
import SQLiteCore

/// A claim that the engine does not bear out.
struct FailedClaim: CustomStringConvertible {
  let sql: String
  let claim: String
  let fact: String
  /// Whether the statement reads a column whose values do not suit its declaration.
  var involvesUnsuitableValues = false

  var description: String { "\(sql)\n    claim: \(claim)\n    fact: \(fact)" }
}

/// What came of holding one statement's claims against the engine.
struct Trial {
  var failedClaims: [FailedClaim] = []
  var rowCount = 0
  /// Why the engine stopped before the last row, where it did.
  var stop: String?
}

extension StatementAnalysis {
  /// Runs a statement, and holds every row that it gives against what is said of it here.
  ///
  /// - Parameter rowLimit: How many rows are enough.
  func verifyClaims(
    against statement: SQLiteCore.Statement, values: [SQLiteValue] = [], rowLimit: Int = .max
  ) throws(SQLiteError) -> Trial {
    var trial = Trial()
    func fail(_ claim: String, _ fact: String) {
      guard !trial.failedClaims.contains(where: { $0.claim == claim }) else { return }
      trial.failedClaims.append(FailedClaim(sql: statement.sql, claim: claim, fact: fact))
    }
    if columns.map(\.name) != statement.columnNames {
      fail("columns \(columns.map(\.name))", "\(statement.columnNames)")
    }
    if parameterCount != statement.parameterCount {
      fail("\(parameterCount) parameters", "\(statement.parameterCount)")
    }
    if isReadOnly != statement.isReadOnly {
      fail(isReadOnly ? "reads only" : "writes", "the engine says otherwise")
    }
    for (index, value) in values.enumerated() {
      try statement.bind(value, at: ParameterIndex(index + 1))
    }
    do {
      while trial.rowCount < rowLimit, try statement.step() {
        trial.rowCount += 1
        for (index, column) in columns.enumerated() where index < statement.columnCount {
          // A text that is no UTF-8, made of a blob, cannot be read; it is a text all the same.
          let value =
            (try? statement.row.read(SQLiteValue.self, at: ColumnIndex(index))) ?? .text("?")
          guard !column.admits(value) else { continue }
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

extension StatementAnalysis.Column {
  /// Whether a column of this type can hold the value.
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

extension SQLiteValue {
  /// The value for a message, its storage class before it.
  var shown: String { "\(storageClass.rawValue) \("\(self)".prefix(60))" }
}
