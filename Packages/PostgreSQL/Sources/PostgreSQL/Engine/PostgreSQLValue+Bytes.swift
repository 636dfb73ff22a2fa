extension PostgreSQLValue {
  /// Reads a value from bytes that contain it in its binary format.
  ///
  /// - Parameters:
  ///   - range: The position of the value in `bytes`.
  ///   - bytes: The bytes.
  ///   - index: The column of the value.
  ///   - columns: The columns, with their types.
  init(
    in range: Range<Int>, of bytes: [UInt8], at index: Int, _ columns: ResultColumns
  ) throws(PostgreSQLError) {
    let result: Result<PostgreSQLValue, PostgreSQLError> = unsafe bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress, range.upperBound <= buffer.count else {
        return .failure(columns.unknownColumn(index))
      }
      let field = unsafe PostgreSQLField(
        start.advanced(by: range.lowerBound), count: range.count, kind: columns.kinds[index],
        type: columns.types[index], index: index, row: 1, columns: columns)
      return Result { () throws(PostgreSQLError) in try field.value(depth: 0) }
    }
    self = try result.get()
  }
}
