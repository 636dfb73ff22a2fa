internal import Primitives

/// A blob or text value of one row, which is read and written in chunks without loading it completely.
///
/// A blob's length can't change: reserve space with ``ZeroBlob``. If the row is changed by other means or deleted, the
/// blob expires, and using it throws an error. While a blob is open, the connection can't be closed; outside a
/// transaction, writes are committed when the blob is closed. While it is open for writing, SQLite can't begin a
/// savepoint, which throws ``SQLiteError/Code/busy``. A blob belongs to its connection, and the same restrictions on
/// threads apply.
///
/// ```swift
/// try connection.run("INSERT INTO file (id, content) VALUES (1, ?)", ZeroBlob(count: 1_000_000))
/// try connection.withBlob(in: "file", column: "content", row: 1, mode: .readWrite) { blob in
///   try blob.write([1, 2, 3], at: 500_000)
/// }
/// ```
public final class Blob {
  /// The access mode of a blob.
  public enum Mode: Hashable, Sendable { case read, readWrite }

  /// The table that contains the value.
  public let table: TableName
  /// The column that contains the value.
  public let column: String
  /// The blob's access mode.
  public let mode: Mode
  /// The row that contains the value.
  public private(set) var row: RowID
  private let handle: BlobHandle

  init(
    _ connection: ConnectionHandle, table: TableName, column: String, row: RowID, mode: Mode
  ) throws(SQLiteError) {
    handle = try BlobHandle(
      connection, schema: table.schema, table: table.name, column: column, row: row.rawValue,
      writes: mode == .readWrite)
    (self.table, self.column, self.row, self.mode) = (table, column, row, mode)
  }

  /// The number of bytes, or 0 if the blob is closed or known to have expired.
  public var count: Int { handle.count }

  /// Moves the blob to the same column of another row, which is faster than opening another blob.
  ///
  /// - Throws: ``SQLiteError`` if there is no such row, or its value is neither a blob nor a text. The blob is unusable
  ///   then, and its next use throws ``SQLiteError/Code/blobExpired``.
  public func reopen(row: RowID) throws(SQLiteError) {
    try handle.reopen(row: row.rawValue)
    self.row = row
  }

  /// Closes the blob. A second call does nothing.
  ///
  /// Releasing the blob also closes it, but ignores errors.
  ///
  /// - Throws: ``SQLiteError`` if the changes can't be committed.
  public func close() throws(SQLiteError) { try handle.close() }

  // MARK: Reading

  /// Returns a copy of `count` bytes, starting at `offset`.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/outsideBlob`` if the range is not within the blob, or
  ///   ``SQLiteError/Code/blobExpired`` if its row has changed.
  public func read(at offset: Int, count: Int) throws(SQLiteError) -> [UInt8] {
    try check(offset, count)
    var bytes = [UInt8](repeating: 0, count: count)
    var span = bytes.mutableElementSpan
    try handle.read(into: &span, at: offset)
    return bytes
  }

  /// Returns a copy of the whole value.
  ///
  /// - Throws: The same errors as ``read(at:count:)``.
  public func readAll() throws(SQLiteError) -> [UInt8] { try read(at: 0, count: count) }

  /// Fills `buffer` with the bytes starting at `offset`, without an intermediate copy.
  ///
  /// ```swift
  /// var header = [UInt8](repeating: 0, count: 16)
  /// var span = header.mutableSpan
  /// try blob.read(into: &span, at: 0)
  /// ```
  ///
  /// - Throws: The same errors as ``read(at:count:)``.
  public func read(into buffer: inout MutableSpan<UInt8>, at offset: Int) throws(SQLiteError) {
    try check(offset, buffer.count)
    try handle.read(into: &buffer, at: offset)
  }

  /// Passes the blob to `body` in chunks of `size` bytes (the last one may be shorter), with one chunk in memory at a
  /// time.
  ///
  /// - Throws: Any error that `body` throws, which ends the iteration; the errors of ``read(at:count:)``.
  public func forEachChunk(
    of size: Int = 65_536, from start: Int = 0, _ body: (_ chunk: Span<UInt8>) throws -> Void
  ) throws {
    try check(start, 0)
    try Self.checkSize(size)
    var bytes = [UInt8](repeating: 0, count: min(size, count - start))
    var offset = start
    while offset < count {
      let length = min(size, count - offset)
      // The last chunk is shorter.
      if length < bytes.count { bytes = [UInt8](repeating: 0, count: length) }
      do {
        var span = bytes.mutableElementSpan
        try handle.read(into: &span, at: offset)
      }
      try body(bytes.elementSpan)
      offset += length
    }
  }

  /// Returns an iterator over chunks of `size` bytes (the last one may be shorter), which are read on request.
  ///
  /// ```swift
  /// var chunks = try blob.chunks(of: 4_096)
  /// while let chunk = try chunks.next() { try file.write(contentsOf: chunk) }
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` if `size` is not positive.
  public func chunks(of size: Int = 65_536) throws(SQLiteError) -> Chunks {
    try Self.checkSize(size)
    return Chunks(blob: self, size: size)
  }

  // MARK: Writing

  /// Overwrites the blob with `bytes`, starting at `offset`.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/outsideBlob`` if the range is not within the blob, and no
  ///   byte is written; ``SQLiteError/Code/readOnly`` if the blob was opened for reading;
  ///   ``SQLiteError/Code/blobExpired``.
  public func write(_ bytes: [UInt8], at offset: Int) throws(SQLiteError) {
    try write(bytes.elementSpan, at: offset)
  }

  /// Overwrites the blob with `bytes`, starting at `offset`, from memory that need not be an array's.
  ///
  /// - Throws: The same errors as ``write(_:at:)-([UInt8],_)``.
  public func write(_ bytes: Span<UInt8>, at offset: Int) throws(SQLiteError) {
    try check(offset, bytes.count)
    guard mode == .readWrite else {
      throw SQLiteError(code: .readOnly, message: "the blob was opened for reading")
    }
    try handle.write(bytes, at: offset)
  }

  /// Writes chunks one after another, starting at `offset`, with one chunk in memory at a time.
  ///
  /// - Returns: The offset after the last chunk.
  /// - Throws: The same errors as ``write(_:at:)-([UInt8],_)``. The chunks before the failure are written.
  @discardableResult
  public func write<Chunks: Sequence>(
    contentsOf chunks: Chunks, at offset: Int = 0
  ) throws(SQLiteError) -> Int where Chunks.Element: Collection<UInt8> {
    var position = offset
    for chunk in chunks {
      let bytes = Array(chunk)
      try write(bytes, at: position)
      position += bytes.count
    }
    return position
  }

  /// Writes the content of another blob, starting at `offset`, with one chunk in memory at a time. The other blob can
  /// belong to another connection.
  ///
  /// - Throws: The errors of ``read(at:count:)`` for the other blob, and of ``write(_:at:)-([UInt8],_)``. If the
  ///   content does not fit, the error is thrown before the first write.
  public func write(contentsOf other: Blob, at offset: Int = 0) throws {
    try check(offset, other.count)
    var position = offset
    try other.forEachChunk { chunk in
      try write(chunk, at: position)
      position += chunk.count
    }
  }

  private func check(_ offset: Int, _ length: Int) throws(SQLiteError) {
    try handle.checkIsUsable()
    guard offset >= 0, length >= 0, offset <= count, length <= count - offset else {
      throw SQLiteError(
        code: .outsideBlob,
        message: "\(length) bytes at offset \(offset) are not within a blob of \(count) bytes")
    }
  }

  private static func checkSize(_ size: Int) throws(SQLiteError) {
    guard size > 0 else {
      throw SQLiteError(code: .misuse, message: "the chunk size must be positive, got \(size)")
    }
  }
}

@available(*, unavailable) extension Blob: Sendable {}

extension Blob {
  /// The chunks of a blob.
  public struct Chunks {
    private let blob: Blob
    private let size: Int
    private var offset = 0

    init(blob: Blob, size: Int) {
      self.blob = blob
      self.size = size
    }

    /// Returns the next chunk, or `nil` at the end.
    ///
    /// - Throws: The same errors as ``Blob/read(at:count:)``.
    public mutating func next() throws(SQLiteError) -> [UInt8]? {
      let length = min(size, blob.count - offset)
      // A read of no bytes checks whether the blob has expired.
      let bytes = try blob.read(at: min(offset, blob.count), count: max(0, length))
      offset += bytes.count
      return bytes.isEmpty ? nil : bytes
    }
  }
}

@available(*, unavailable) extension Blob.Chunks: Sendable {}

extension Connection {
  /// Opens a blob or text value of one row for the duration of `body`.
  ///
  /// ```swift
  /// let header = try connection.withBlob(in: "file", column: "content", row: 7) { blob in
  ///   try blob.read(at: 0, count: 16)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - table: A table with rowids. Names are not interpreted as SQL.
  ///   - column: The column. A column of an index or a foreign key can't be written.
  ///   - row: The row's rowid.
  ///   - mode: The access mode.
  ///   - body: Uses the blob, and must not keep it: the blob is closed afterwards.
  /// - Throws: Any error that `body` throws; the errors of ``blob(in:column:row:mode:)`` and ``Blob/close()``.
  public func withBlob<Result>(
    in table: TableName, column: String, row: RowID, mode: Blob.Mode = .read,
    _ body: (Blob) throws -> Result
  ) throws -> Result {
    let blob = try blob(in: table, column: column, row: row, mode: mode)
    let result: Result
    do {
      result = try body(blob)
    } catch {
      try? blob.close()
      throw error
    }
    try blob.close()
    return result
  }

  /// Opens a blob or text value of one row, which the caller must close.
  ///
  /// - Throws: ``SQLiteError`` if there is no such table, column or row, if the value is neither a blob nor a text, or
  ///   if the table is a view or has no rowids; with code ``SQLiteError/Code/unknownSchema`` if the connection has no
  ///   such database, or ``SQLiteError/Code/busy`` or ``SQLiteError/Code/readOnly`` if it can't be written.
  public func blob(
    in table: TableName, column: String, row: RowID, mode: Blob.Mode = .read
  ) throws(SQLiteError) -> Blob {
    try handle.requireAccess()
    if handle.scopeDepth > 0 && !handle.isInTransaction { throw handle.scopeError() }
    let blob = try Blob(handle, table: table, column: column, row: row, mode: mode)
    // SQLite's authorizer does not report blobs, as it does statements.
    var access = Statement.Access()
    access.reads[table] = [column]
    if mode == .readWrite { access.writes[table, default: .init()].updates = [column] }
    handle.recordedAccess?.value.formUnion(access)
    return blob
  }
}
