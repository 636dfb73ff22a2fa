internal import Primitives

/// A blob or a text of one row, read and written in pieces, without the whole of it in memory.
///
/// A blob's length can't change: make room with ``ZeroBlob``. When the row is changed by other means or
/// deleted, the blob expires, and every use is an error. While it is open the connection can't be closed;
/// outside of a transaction, what is written is committed when the blob is closed. While it is open
/// for writing, SQLite begins no savepoint: that is ``SQLiteError/Code/busy``. It belongs to the
/// connection, and is used where that is used.
///
/// ```swift
/// try connection.run("INSERT INTO file (id, content) VALUES (1, ?)", ZeroBlob(count: 1_000_000))
/// try connection.withBlob(in: "file", column: "content", row: 1, mode: .readWrite) { blob in
///   try blob.write([1, 2, 3], at: 500_000)
/// }
/// ```
public final class Blob {
  /// What a blob is opened for.
  public enum Mode: Hashable, Sendable { case read, readWrite }

  /// The table that the value is in.
  public let table: TableName
  /// The column that the value is in.
  public let column: String
  /// What it was opened for.
  public let mode: Mode
  /// The row that the blob is of.
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

  /// The number of bytes; 0 once the blob is closed or found expired.
  public var count: Int { handle.count }

  /// Goes on to the same column of another row, which is cheaper than to open a blob.
  ///
  /// - Throws: ``SQLiteError`` where there is no such row, or it holds neither a blob nor a text there. The blob
  ///   is of no more use then, and its next use is ``SQLiteError/Code/blobExpired``.
  public func reopen(row: RowID) throws(SQLiteError) {
    try handle.reopen(row: row.rawValue)
    self.row = row
  }

  /// Closes the blob. A second call does nothing.
  ///
  /// Letting go of the blob closes it too, but hides what this throws.
  ///
  /// - Throws: ``SQLiteError`` where what was written can't be committed.
  public func close() throws(SQLiteError) { try handle.close() }

  // MARK: Reading

  /// A copy of `count` bytes from `offset` on.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/outsideBlob`` where the blob has fewer, with
  ///   ``SQLiteError/Code/blobExpired`` where its row has changed.
  public func read(at offset: Int, count: Int) throws(SQLiteError) -> [UInt8] {
    try check(offset, count)
    var bytes = [UInt8](repeating: 0, count: count)
    var span = bytes.mutableElementSpan
    try handle.read(into: &span, at: offset)
    return bytes
  }

  /// A copy of all of it.
  ///
  /// - Throws: As ``read(at:count:)``.
  public func readAll() throws(SQLiteError) -> [UInt8] { try read(at: 0, count: count) }

  /// Fills `buffer` with the bytes from `offset` on, without a copy between.
  ///
  /// ```swift
  /// var header = [UInt8](repeating: 0, count: 16)
  /// var span = header.mutableSpan
  /// try blob.read(into: &span, at: 0)
  /// ```
  ///
  /// - Throws: As ``read(at:count:)``.
  public func read(into buffer: inout MutableSpan<UInt8>, at offset: Int) throws(SQLiteError) {
    try check(offset, buffer.count)
    try handle.read(into: &buffer, at: offset)
  }

  /// Hands the blob to `body` in pieces of `size` bytes, the last one shorter, in memory for one piece.
  ///
  /// - Throws: What `body` throws, which ends it; as ``read(at:count:)``.
  public func forEachChunk(
    of size: Int = 65_536, from start: Int = 0, _ body: (_ chunk: Span<UInt8>) throws -> Void
  ) throws {
    try check(start, 0)
    try Self.checkSize(size)
    var bytes = [UInt8](repeating: 0, count: min(size, count - start))
    var offset = start
    while offset < count {
      let length = min(size, count - offset)
      // The last piece is shorter.
      if length < bytes.count { bytes = [UInt8](repeating: 0, count: length) }
      do {
        var span = bytes.mutableElementSpan
        try handle.read(into: &span, at: offset)
      }
      try body(bytes.elementSpan)
      offset += length
    }
  }

  /// The blob in pieces of `size` bytes, the last one shorter, each read when it is asked for.
  ///
  /// ```swift
  /// var chunks = try blob.chunks(of: 4_096)
  /// while let chunk = try chunks.next() { try file.write(contentsOf: chunk) }
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` where pieces would have no
  ///   bytes.
  public func chunks(of size: Int = 65_536) throws(SQLiteError) -> Chunks {
    try Self.checkSize(size)
    return Chunks(blob: self, size: size)
  }

  // MARK: Writing

  /// Writes `bytes` over those from `offset` on.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/outsideBlob`` where they go beyond the end, and
  ///   nothing is written; with ``SQLiteError/Code/readOnly`` where the blob was opened for reading; with
  ///   ``SQLiteError/Code/blobExpired``.
  public func write(_ bytes: [UInt8], at offset: Int) throws(SQLiteError) {
    try write(bytes.elementSpan, at: offset)
  }

  /// Writes `bytes` over those from `offset` on, out of memory that is not an array's.
  ///
  /// - Throws: As ``write(_:at:)-([UInt8],_)``.
  public func write(_ bytes: Span<UInt8>, at offset: Int) throws(SQLiteError) {
    try check(offset, bytes.count)
    guard mode == .readWrite else {
      throw SQLiteError(code: .readOnly, message: "the blob was opened for reading")
    }
    try handle.write(bytes, at: offset)
  }

  /// Writes pieces one after another, from `offset` on, and never holds two of them.
  ///
  /// - Returns: Where the next piece would go.
  /// - Throws: As ``write(_:at:)-([UInt8],_)``; the pieces before the one that failed are written.
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

  /// Writes all of another blob, from `offset` on, in memory for one piece. It may be of another
  /// connection.
  ///
  /// - Throws: As ``read(at:count:)`` of the other, and as ``write(_:at:)-([UInt8],_)``: where it
  ///   does not fit, before anything is written.
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
        message: "\(length) bytes from byte \(offset) on are not within a blob of \(count) bytes")
    }
  }

  private static func checkSize(_ size: Int) throws(SQLiteError) {
    guard size > 0 else {
      throw SQLiteError(code: .misuse, message: "a piece has at least one byte, not \(size)")
    }
  }
}

@available(*, unavailable) extension Blob: Sendable {}

extension Blob {
  /// A blob in pieces.
  public struct Chunks {
    private let blob: Blob
    private let size: Int
    private var offset = 0

    init(blob: Blob, size: Int) {
      self.blob = blob
      self.size = size
    }

    /// The next piece; `nil` at the end.
    ///
    /// - Throws: As ``Blob/read(at:count:)``.
    public mutating func next() throws(SQLiteError) -> [UInt8]? {
      let length = min(size, blob.count - offset)
      // Reading nothing tells whether the blob is still there.
      let bytes = try blob.read(at: min(offset, blob.count), count: max(0, length))
      offset += bytes.count
      return bytes.isEmpty ? nil : bytes
    }
  }
}

@available(*, unavailable) extension Blob.Chunks: Sendable {}

extension Connection {
  /// Opens a blob or a text of one row, for the length of `body`.
  ///
  /// ```swift
  /// let header = try connection.withBlob(in: "file", column: "content", row: 7) { blob in
  ///   try blob.read(at: 0, count: 16)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - table: A table with rowids. Names are taken as they are: they are not SQL.
  ///   - column: The column. One of an index or of a foreign key can't be written.
  ///   - row: The row's key.
  ///   - mode: What the blob is opened for.
  ///   - body: Uses the blob, and does not keep it: it is closed afterwards.
  /// - Throws: What `body` throws; as ``blob(in:column:row:mode:)`` and ``Blob/close()``.
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

  /// Opens a blob or a text of one row, which is yours: close it when you are done.
  ///
  /// - Throws: ``SQLiteError`` where there is no such table, column or row; where the value is neither a blob nor
  ///   a text; where the table is a view or has no rowids; with code ``SQLiteError/Code/unknownSchema`` where the
  ///   connection has no such database; with ``SQLiteError/Code/busy`` or
  ///   ``SQLiteError/Code/readOnly`` where it can't be written.
  public func blob(
    in table: TableName, column: String, row: RowID, mode: Blob.Mode = .read
  ) throws(SQLiteError) -> Blob {
    try handle.requireAccess()
    if handle.scopeDepth > 0 && !handle.isInTransaction { throw handle.leavesScope() }
    let blob = try Blob(handle, table: table, column: column, row: row, mode: mode)
    // SQLite's compiler does not tell of blobs, as it does of statements.
    var access = Statement.Access()
    access.reads[table] = [column]
    if mode == .readWrite { access.writes[table, default: .init()].updates = [column] }
    handle.accessRecorder?.add(access)
    return blob
  }
}
