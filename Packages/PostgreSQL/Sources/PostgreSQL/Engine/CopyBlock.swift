/// The rows of `COPY` that are sent next.
@usableFromInline
struct CopyBlock: ~Copyable {
  /// The number of bytes that are passed to libpq at once.
  @usableFromInline static var size: Int { 1 << 16 }

  @usableFromInline var parameters: PostgreSQLParameters

  init(types: [PostgreSQLType], catalog: TypeCatalog) {
    parameters = PostgreSQLParameters(
      types: ParameterTypes(types, catalog: catalog), catalog: catalog)
  }

  @inlinable var isFull: Bool { parameters.bytes.count >= Self.size }

  @inlinable
  mutating func append(_ row: some PostgreSQLRowEncodable) throws(PostgreSQLError) {
    parameters.beginCopiedRow()
    try row.bind(to: &parameters)
    try parameters.checkComplete()
  }

  /// Writes rows from an index on until the block is full. An iterator would retain the properties of each row.
  ///
  /// - Returns: Whether there are more rows; `nil` if the rows are not stored one after another.
  @inlinable
  mutating func fill<Rows: Sequence>(
    with rows: Rows, from index: inout Int
  ) throws -> Bool? where Rows.Element: PostgreSQLRowEncodable {
    try rows.withContiguousStorageIfAvailable { rows in
      while index < rows.count {
        if isFull { return true }
        try unsafe append(rows[index])
        index += 1
      }
      return false
    }
  }
}
