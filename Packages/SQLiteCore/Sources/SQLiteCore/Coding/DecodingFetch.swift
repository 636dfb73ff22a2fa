/// Decodes the rows of a statement run with one decoder.
@usableFromInline
struct DecodingFetch {
  @usableFromInline var reader: RowReader

  /// Indicates whether the row type is read from a single column, by its own conformance rather than by `init(from:)`.
  @usableFromInline let readsOneColumn: Bool

  @usableFromInline
  init(_ row: borrowing Row, _ type: any Decodable.Type, _ decoder: RowDecoder) {
    reader = RowReader(row, settings: decoder)
    if case .coded = ColumnAccess(type, dates: decoder.dateDecodingStrategy) {
      readsOneColumn = false
    } else {
      readsOneColumn = true
    }
  }

  /// Makes decoders that outlive their row throw errors. Called once at the end, since a `deinit` here crashes the
  /// optimizer.
  @usableFromInline
  func end() { reader.end() }

  /// Reads the current row.
  @inlinable
  mutating func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    defer { endRow() }
    if readsOneColumn { return try reader.singleValueContainer().decode(type) }
    return try Value(from: reader)
  }

  /// Ends the current row. A decoder or container that is still referenced must not read another row.
  @usableFromInline
  mutating func endRow() {
    if isKnownUniquelyReferenced(&reader) {
      reader.beginRow()
    } else {
      reader.end()
      reader = RowReader(replacing: reader)
    }
  }
}

extension Statement {
  @inlinable
  func remainingRows<Value: Decodable>(
    decoding type: Value.Type, with decoder: RowDecoder
  ) throws -> [Value] {
    var fetch = DecodingFetch(currentRow, type, decoder)
    defer { fetch.end() }
    return try collectDecoded { try fetch.value(type) }
  }

  func forEachRow<Value: Decodable>(
    decoding type: Value.Type, with decoder: RowDecoder,
    _ body: (Value, borrowing Row) throws -> Void
  ) throws {
    guard try step() else { return }
    var fetch = DecodingFetch(row, type, decoder)
    defer { fetch.end() }
    repeat { try body(fetch.value(type), row) } while try step()
  }
}

extension RowDecodable where Self: Decodable {
  /// Reads the columns of the current row as ``RowDecoder`` does, by the names of the keys.
  ///
  /// A statement's columns are looked up once rather than for each row.
  ///
  /// - Throws: The same errors as ``RowDecoder/decode(_:from:)``.
  @inlinable
  public init(row: borrowing Row) throws {
    var fetch = row.checkoutDecodingFetch(for: Self.self)
    defer { row.checkinDecodingFetch(fetch, for: Self.self) }
    self = try fetch.value(Self.self)
  }
}

extension Row {
  /// Returns the decoder of the statement's previous row if it has the same type, or a new one.
  @usableFromInline
  func checkoutDecodingFetch(for type: any Decodable.Type) -> DecodingFetch {
    if let cached = columns.cachedFetch.take(), cached.type == ObjectIdentifier(type) {
      return cached.fetch
    }
    return DecodingFetch(self, type, RowDecoder())
  }

  /// Stores a decoder for the statement's next row. Since the decoder refers to the columns, only a statement's columns
  /// store one: the statement releases it.
  @usableFromInline
  func checkinDecodingFetch(_ fetch: consuming DecodingFetch, for type: any Decodable.Type) {
    if columns.sql == nil {
      fetch.end()
    } else {
      columns.cachedFetch = (ObjectIdentifier(type), fetch)
    }
  }
}
