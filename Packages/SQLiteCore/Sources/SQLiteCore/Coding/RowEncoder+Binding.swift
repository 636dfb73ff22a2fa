extension RowEncoder {
  /// Encodes values of one type, whose columns are known beforehand, again and again: straight into the
  /// parameters of a statement, or as values.
  ///
  /// A ``RowEncoder`` finds out a value's columns each time, and what each column's type is; this finds
  /// them once. It is for who writes many rows, and for who writes some columns in a way of their own.
  ///
  /// ```swift
  /// let binding = RowEncoder.Binding(columns: ["id", "name", "score"])
  /// let insert = try connection.prepare("INSERT INTO player (id, name, score) VALUES (?, ?, ?)")
  /// for player in players {
  ///   try binding.bind(player, to: insert)
  ///   try insert.run()
  /// }
  /// ```
  ///
  /// The rules are those of ``RowEncoder``, but for these:
  ///
  /// - A column that a value does not encode is NULL.
  /// - A key that is none of the columns is an error of code ``SQLiteError/Code/unknownColumn``, unless
  ///   what is encoded for it is `nil`.
  /// - A NaN is an error of code ``SQLiteError/Code/valueOutOfRange``: SQLite would store NULL.
  ///
  /// It belongs to one thread at a time. The encoder that an `encode(to:)` gets is good until that
  /// returns.
  public final class Binding {
    /// What takes the place of encoding a value: gives the column's value, or `nil` where the value is
    /// to have no part in the row.
    public typealias Replacement = (any Encodable) throws -> SQLiteValue?

    /// The columns, in the order of the parameters.
    public let columns: [String]
    private let makeWriter: () -> BindingWriter
    private var writer: BindingWriter?

    /// - Parameters:
    ///   - columns: The columns, each of which is a parameter of the statements that are bound to.
    ///   - encoder: How values become columns.
    ///   - adjusting: What is made of the values of some columns before they are written, by column.
    ///   - replacing: Asked once for each type that is encoded, with the key that it is encoded for, unless it
    ///     is a Boolean, a number of the library or a `String`; `nil` where it is to be encoded as usual.
    public init(
      columns: [String], encoder: RowEncoder = RowEncoder(),
      adjusting: [String: (SQLiteValue) throws -> SQLiteValue] = [:],
      replacing: ((_ type: any Encodable.Type, _ key: String) -> Replacement?)? = nil
    ) {
      self.columns = columns
      makeWriter = {
        BindingWriter(
          columns: columns, settings: encoder, adjustments: adjusting, replacement: replacing)
      }
    }

    /// Binds the columns of a value to the parameters of a statement, by their numbers.
    ///
    /// - Throws: What ``RowEncoder/encode(_:)`` throws; ``SQLiteError`` with code
    ///   ``SQLiteError/Code/parameterCount`` where the statement has not a parameter for each column, and
    ///   of a value that can't be bound. All parameters are NULL then.
    public func bind(_ value: some Encodable, to statement: Statement) throws {
      try statement.checkParameterCount(columns.count)
      try statement.beginBindingAll()
      do {
        try encoding { try $0.bind(value, to: statement) }
      } catch {
        statement.abandonBindingAll()
        throw error
      }
      statement.endBindingAll()
    }

    /// The columns of a value, in the order of ``columns``.
    ///
    /// - Throws: As ``bind(_:to:)`` does.
    public func values(of value: some Encodable) throws -> [SQLiteValue] {
      try encoding { try $0.values(of: value) }
    }

    /// Runs `body` with the encoder, which serves the next value too, unless someone keeps it.
    private func encoding<Result>(_ body: (BindingWriter) throws -> Result) throws -> Result {
      // A reference in this function would count as one who keeps it.
      defer { endRow() }
      return try body(currentWriter())
    }

    private func currentWriter() -> BindingWriter {
      if let writer { return writer }
      let made = makeWriter()
      writer = made
      return made
    }

    private func endRow() {
      if isKnownUniquelyReferenced(&writer) {
        writer?.endRow()
      } else {
        writer?.end()
        writer = nil
      }
    }
  }
}

@available(*, unavailable) extension RowEncoder.Binding: Sendable {}
