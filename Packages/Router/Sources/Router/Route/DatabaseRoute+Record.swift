public import SQLiteCore

extension DatabaseRoute {
  /// A row to be written: columns with values, in order.
  ///
  /// An omitted column remains unchanged, or takes its default; a column with NULL is set to NULL.
  ///
  /// ```swift
  /// let change: DatabaseRoute.Record = ["name": "Milk", "completedOn": nil]
  /// ```
  public struct Record: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// A column with its value.
    public struct Field: Hashable, Sendable {
      public var column: Column
      public var value: SQLiteValue

      public init(column: Column, value: SQLiteValue) {
        self.column = column
        self.value = value
      }
    }

    public var fields: [Field]

    public init(fields: [Field] = []) { self.fields = fields }

    public init(dictionaryLiteral elements: (Column, SQLiteValue)...) {
      fields = elements.map { Field(column: $0.0, value: $0.1) }
    }

    /// Creates a record from a value's encoded columns.
    ///
    /// - Throws: Errors of the encoder.
    public init(encoding value: some Encodable, with encoder: RowEncoder = RowEncoder()) throws {
      if let record = value as? Record {
        self = record
      } else {
        fields = try encoder.encode(value).map {
          Field(column: Column($0.name), value: $0.value)
        }
      }
    }

    /// The value of a column; `nil` for an omitted one. Setting `nil` removes the column.
    public subscript(column: Column) -> SQLiteValue? {
      get { fields.first { $0.column == column }?.value }
      set {
        let index = fields.firstIndex { $0.column == column }
        switch (index, newValue) {
        case (let index?, let value?): fields[index].value = value
        case (let index?, nil): fields.remove(at: index)
        case (nil, let value?): fields.append(Field(column: column, value: value))
        case (nil, nil): break
        }
      }
    }
  }
}

extension DatabaseRoute.Record: Codable {
  public init(from decoder: any Decoder) throws {
    fields = try decoder.singleValueContainer().decode([Field].self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(fields)
  }
}

extension DatabaseRoute.Record.Field: Codable {
  private enum CodingKeys: CodingKey { case column, value }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    column = try container.decode(DatabaseRoute.Column.self, forKey: .column)
    value = try container.decode(CodedValue.self, forKey: .value).value
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(column, forKey: .column)
    try container.encode(CodedValue(value), forKey: .value)
  }
}
