/// What a statement knows while columns of its row are lent.
struct RowLoan {
  /// How many are lent.
  var count = 0
  /// The statement's own count, which another number stands in for.
  var forcedResets = 0
  /// Whether the statement is to be reset when all are back.
  var isResetDue = false
  /// Whether its values are to be cleared then.
  var isClearingDue = false
  /// Where the values lie that the row may show, once others might have been put in their place.
  var arena: BindingArena?

  var isOut: Bool { count > 0 }
}

extension Statement {
  /// The error of what would end the row that a column is lent of.
  func columnIsLent() -> SQLiteError {
    SQLiteError(
      code: .columnLent, message: "a column of the row is lent, and keeps the statement there",
      sql: sql)
  }
}
