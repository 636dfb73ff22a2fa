internal import QueryModel

/// What an `INSERT`, `UPDATE` or `DELETE` gives: the columns of `RETURNING`, and how many rows.
struct ResolvedChange: Sendable {
  var columns: [SelectColumn] = []
  var rowCount = RowCount.many
  /// The table whose columns `RETURNING *` gives.
  var wholeTable: String?
}
