internal import CSQLite

extension ConnectionHandle {
  static let listItemName = "holt_item"

  /// Gives SQL the function `holt_item`, which gives one value of a list that is bound as for `holt_array`.
  func registerListItem() throws(SQLiteError) {
    // A schema can't hold a list, and must not get at one.
    let options: FunctionOptions = [.deterministic, .directOnly]
    let rc = unsafe sqlite3_create_function_v2(
      try pointer(), Self.listItemName, 2, options.flags, nil, giveListItem, nil, nil, nil)
    guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
  }
}

// The engine keeps the list as long as the binding; a statement that is on its way may have its address beyond that. Whoever
// clears what is bound, or binds something else, resets the statement first.
private func giveListItem(
  context: OpaquePointer?, count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let context = unsafe context, let holder = unsafe values?[0],
    let number = unsafe values?[1]
  else { return }
  guard let address = unsafe holt_value_list(holder) else {
    return unsafe sqlite3_result_error(
      context, "holt_item takes a list, and the parameter holds none", -1)
  }
  let place = unsafe EngineValue(number).integer
  unsafe Unmanaged<ValueList>.fromOpaque(address)._withUnsafeGuaranteedRef { list in
    guard let place, place > 0, place <= list.count else {
      return unsafe sqlite3_result_error(
        context, "holt_item counts the values of a list from 1: there is none with that number", -1)
    }
    unsafe list.give(Int(place) - 1, to: context)
  }
}
