extension Statement {
  /// Binds a list, for `holt_array` to give its values.
  ///
  /// The engine keeps the list until something else is bound there, the values are cleared, or the
  /// statement is gone.
  func bindList(_ values: ListValues, at index: ParameterIndex) throws(SQLiteError) {
    try bindList(ValueList(values), at: index)
  }

  func bindList(_ list: ValueList, at index: ParameterIndex) throws(SQLiteError) {
    try check(handle.cursor.bind(list, at: prepared(index)))
  }
}
