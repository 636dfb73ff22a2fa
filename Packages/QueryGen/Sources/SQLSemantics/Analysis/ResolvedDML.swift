internal import QueryModel

/// The result of an `INSERT`, `UPDATE` or `DELETE`: the columns of `RETURNING` and the number of
/// rows.
struct ResolvedDML: Sendable {
  var columns: [SelectColumn] = []
  var rowCount = RowCountBounds.many
  /// The table whose columns `RETURNING *` returns.
  var wholeTable: String?
}
