extension PostgreSQLReplicationRow {
  /// Reads the value of a column.
  func value(
    in range: Range<Int>, at index: Int, _ columns: ResultColumns
  ) throws(PostgreSQLError) -> PostgreSQLValue {
    let result: Result<PostgreSQLValue, PostgreSQLError> = unsafe bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress, range.upperBound <= buffer.count else {
        return .failure(columns.unknownColumn(index))
      }
      let field = unsafe PostgreSQLField(
        start.advanced(by: range.lowerBound), count: range.count, kind: columns.kinds[index],
        type: columns.types[index], index: index, row: 1, columns: columns)
      return Result { () throws(PostgreSQLError) in try field.value(depth: 0) }
    }
    return try result.get()
  }
}
