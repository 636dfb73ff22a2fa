extension RowEncoder {
  /// Encodes values of one type with predetermined columns, as a statement's parameters or as values.
  ///
  /// A ``RowEncoder`` determines the columns and their types for each value; a binding determines them once. Use it to
  /// write many rows, or to customize how some columns are written.
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
  /// The rules are the same as for ``RowEncoder``, with these exceptions:
  ///
  /// - A column that a value does not encode is NULL.
  /// - A key that is not one of the columns is an error with code ``SQLiteError/Code/unknownColumn``, unless its value
  ///   is `nil`.
  /// - A NaN is an error with code ``SQLiteError/Code/valueOutOfRange``: SQLite would store NULL.
  ///
  /// A binding must be used by one thread at a time. The encoder that an `encode(to:)` receives is valid until it
  /// returns.
  public final class Binding {
    /// A custom encoder of a type: returns the column's value, or `nil` to omit the property from the row.
    public typealias Replacement = (any Encodable) throws -> SQLiteValue?

    /// The columns, in the order of the parameters.
    public let columns: [String]
    private let makeWriter: () -> BindingWriter
    private var writer: BindingWriter?

    /// - Parameters:
    ///   - columns: The columns, each of which is a parameter of the bound statements.
    ///   - encoder: The encoder of values.
    ///   - adjusting: Functions that convert the values of some columns before they are written, by column.
    ///   - replacing: Returns the custom encoder of a type, or `nil` if the type is encoded as usual. Called once for
    ///     each type and key, except for Booleans, the standard library's numbers and `String`.
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

    /// Binds a value's columns to a statement's parameters, by number.
    ///
    /// - Throws: The errors of ``RowEncoder/encode(_:)``; ``SQLiteError`` with code ``SQLiteError/Code/parameterCount``
    ///   if the numbers of parameters and columns differ; ``SQLiteError`` if a value can't be bound. All parameters are
    ///   NULL then.
    public func bind(_ value: some Encodable, to statement: Statement) throws {
      try statement.checkParameterCount(columns.count)
      try statement.beginBindingAll()
      do {
        try encoding { try $0.bind(value, to: statement) }
      } catch {
        statement.cancelBindingAll()
        throw error
      }
      statement.endBindingAll()
    }

    /// Returns a value's columns, in the order of ``columns``.
    ///
    /// - Throws: The same errors as ``bind(_:to:)``.
    public func values(of value: some Encodable) throws -> [SQLiteValue] {
      try encoding { try $0.values(of: value) }
    }

    /// Runs `body` with the encoder, which is reused for the next value unless it is still referenced.
    private func encoding<Result>(_ body: (BindingWriter) throws -> Result) throws -> Result {
      // A reference in this function would count as one that outlives the row.
      defer { endRow() }
      return try body(currentWriter())
    }

    private func currentWriter() -> BindingWriter {
      if let writer { return writer }
      let created = makeWriter()
      writer = created
      return created
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
