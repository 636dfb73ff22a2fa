internal import QueryModel

/// The result of an `INSERT`, `UPDATE` or `DELETE`: the columns of `RETURNING` and the number of
/// rows.
struct ResolvedChange: Sendable {
  var columns: [SelectColumn] = []
  var rowCount = RowCount.many
  /// The table whose columns `RETURNING *` returns.
  var wholeTable: String?
}
