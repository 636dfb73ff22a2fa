internal import CLibPQ

/// The current row of a result.
///
/// A row can't outlive the call that passes it. Reading a column by index allocates only the value itself; reading by
/// name uses a table that is built once per statement.
@safe public struct PostgreSQLRow: ~Copyable {
  /// The result that contains the row; `nil` for a row of `COPY`.
  private let result: OpaquePointer?
  private let row: Int32
  /// The bytes and the positions of the fields, for a row of `COPY`.
  private let copied: UnsafeRawPointer?
  private let ranges: [Range<Int>?]
  @usableFromInline let columns: ResultColumns
  /// The row's position in the whole result, counting from 1.
  let number: Int

  init(_ result: OpaquePointer, row: Int32, number: Int, columns: ResultColumns) {
    unsafe self.result = result
    self.row = row
    unsafe copied = nil
    ranges = []
    self.columns = columns
    self.number = number
  }

  /// Creates a row of `COPY`. The bytes must not be released before the row.
  init(copied: UnsafeRawPointer, ranges: [Range<Int>?], number: Int, columns: ResultColumns) {
    unsafe result = nil
    row = 0
    unsafe self.copied = copied
    self.ranges = ranges
    self.columns = columns
    self.number = number
  }

  /// Creates a copy for a decoder, which must end before the row does.
  init(copy row: borrowing PostgreSQLRow) {
    unsafe result = row.result
    self.row = row.row
    unsafe copied = row.copied
    ranges = row.ranges
    columns = row.columns
    number = row.number
  }

  /// The number of columns.
  public var columnCount: Int { columns.count }

  /// The column names.
  public var columnNames: [String] { columns.names }

  /// The column types. The type of a column of a domain is the domain's base type.
  public var columnTypes: [PostgreSQLType] { columns.types }

  /// Returns the index of the first column of this name, regardless of the case of ASCII letters if there is no exact
  /// match; `nil` if there is no such column.
  public func columnIndex(named name: String) -> Int? { columns.index(named: name) }

  /// Passes a column to `body`, or throws if there is no such column.
  @inline(__always)
  func field(at index: Int) throws(PostgreSQLError) -> PostgreSQLField {
    guard index >= 0, index < columns.count else { throw columns.unknownColumn(index) }
    let column = Int32(truncatingIfNeeded: index)
    guard let result = unsafe result else { return copiedField(at: index) }
    let length = unsafe PQgetlength(result, row, column)
    if length == 0, unsafe PQgetisnull(result, row, column) != 0 {
      return unsafe PostgreSQLField(
        nil, count: 0, kind: columns.kinds[index], type: columns.types[index], index: index,
        row: number, columns: columns)
    }
    return unsafe PostgreSQLField(
      UnsafeRawPointer(PQgetvalue(result, row, column)), count: Int(length),
      kind: columns.kinds[index], type: columns.types[index], index: index, row: number,
      columns: columns)
  }

  @inline(never)
  private func copiedField(at index: Int) -> PostgreSQLField {
    let range = ranges.indices.contains(index) ? ranges[index] : nil
    let start = unsafe range.flatMap { unsafe copied?.advanced(by: $0.lowerBound) }
    return unsafe PostgreSQLField(
      start, count: range?.count ?? 0, kind: columns.kinds[index], type: columns.types[index],
      index: index, row: number, columns: columns)
  }

  /// Indicates whether a column is NULL.
  ///
  /// - Throws: ``PostgreSQLError`` with code ``PostgreSQLError/Code/unknownColumn`` if there is no such column.
  public func isNull(at index: Int) throws(PostgreSQLError) -> Bool { try field(at: index).isNull }
}

/// A field of a row, an element of an array, or an attribute of a composite value: its type and its bytes.
///
/// Types read themselves from a field: see ``PostgreSQLReadable``.
@safe public struct PostgreSQLField: ~Copyable {
  @usableFromInline let start: UnsafeRawPointer?
  @usableFromInline let count: Int
  @usableFromInline let kind: TypeKind
  /// The type of the value.
  public let type: PostgreSQLType
  private let index: Int
  private let row: Int
  /// The row, which is passed to the function that uses this field, keeps the columns alive.
  private let columns: Unmanaged<ResultColumns>

  init(
    _ start: UnsafeRawPointer?, count: Int, kind: TypeKind, type: PostgreSQLType, index: Int,
    row: Int, columns: ResultColumns
  ) {
    unsafe self.start = start
    self.count = count
    self.kind = kind
    self.type = type
    self.index = index
    self.row = row
    unsafe self.columns = .passUnretained(columns)
  }

  /// Indicates whether the value is NULL.
  @inlinable
  public var isNull: Bool { unsafe start == nil }

  /// The bytes of the value in the binary format of its type; empty for NULL.
  public var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get {
      guard let start = unsafe start else { return Span() }
      let buffer = unsafe UnsafeRawBufferPointer(start: start, count: count)
        .assumingMemoryBound(to: UInt8.self)
      return unsafe _overrideLifetime(Span(_unsafeElements: buffer), borrowing: self)
    }
  }

  var catalog: TypeCatalog { unsafe columns._withUnsafeGuaranteedRef { $0.catalog } }

  /// Passes a part of this value, or NULL if there is no range, to `body`.
  func withPart<Result>(
    _ range: Range<Int>?, type: PostgreSQLType, kind: TypeKind,
    _ body: (borrowing PostgreSQLField) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    guard let range, let start = unsafe start else {
      let part = unsafe PostgreSQLField(nil, 0, kind, type, of: self)
      return try body(part)
    }
    guard range.lowerBound >= 0, range.upperBound <= count else { throw invalidBytes() }
    let part = unsafe PostgreSQLField(
      start.advanced(by: range.lowerBound), range.count, kind, type, of: self)
    return try body(part)
  }

  private init(
    _ start: UnsafeRawPointer?, _ count: Int, _ kind: TypeKind, _ type: PostgreSQLType,
    of whole: borrowing PostgreSQLField
  ) {
    unsafe self.start = start
    self.count = count
    self.kind = kind
    self.type = type
    index = whole.index
    row = whole.row
    unsafe columns = whole.columns
  }

  /// The error for a value that can't be read, for use in implementations of ``PostgreSQLReadable``.
  ///
  /// - Parameters:
  ///   - message: A description of the failure, without the value.
  ///   - code: The code of the error.
  @inline(never)
  public func unreadable(_ message: String, code: PostgreSQLError.Code) -> PostgreSQLError {
    unsafe columns._withUnsafeGuaranteedRef { columns in
      PostgreSQLError(
        PostgreSQLError.Fields(
          code: code, message: message, sql: columns.sql,
          column: columns.names.indices.contains(index) ? columns.names[index] : nil, row: row))
    }
  }
}
