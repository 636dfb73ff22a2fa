extension RowEncoder {
  /// The properties of a type, by how a value of it encodes itself: their names, their types as they are declared, and whether
  /// they are optional, which tells also where one is `nil`.
  ///
  /// ```swift
  /// let properties = try RowEncoder.Properties(of: Player())
  /// for property in properties.all { print(property.name, property.type, property.isOptional) }
  /// ```
  public struct Properties {
    /// One of them.
    public struct Property {
      /// Its key.
      public let name: String
      /// Its type; of an optional one, the type of what is in it.
      public let type: any Encodable.Type
      public let isOptional: Bool
      /// What it is in the value that was looked at; `nil` where it is `nil`.
      public let value: (any Encodable)?
    }

    /// The properties, in the order in which they are encoded.
    public let all: [Property]
    /// Whether the value encodes itself with names: as no single value, and as no list.
    public let isNamed: Bool

    /// - Throws: What the value's `encode(to:)` throws.
    public init(of value: some Encodable) throws {
      let recorder = PropertyRecorder()
      try value.encode(to: recorder)
      all = recorder.properties
      isNamed = !recorder.isUnnamed
    }

    /// The property of a name.
    public subscript(name: String) -> Property? { all.first { $0.name == name } }
  }
}

/// Is told the properties as a value encodes itself.
private final class PropertyRecorder: Encoder {
  typealias Property = RowEncoder.Properties.Property

  private(set) var properties: [Property] = []
  /// Whether the value encoded itself as something that has no names for columns.
  private(set) var isUnnamed = false

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(PropertyContainer<Key>(recorder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    isUnnamed = true
    return IgnoredEncoder().unkeyedContainer()
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    isUnnamed = true
    return IgnoredEncoder()
  }

  func add<T: Encodable>(_ value: T?, _ key: some CodingKey, isOptional: Bool) {
    let property = Property(
      name: key.stringValue, type: T.self, isOptional: isOptional, value: value)
    if let place = properties.firstIndex(where: { $0.name == property.name }) {
      properties[place] = property
    } else {
      properties.append(property)
    }
  }
}

private struct PropertyContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let recorder: PropertyRecorder

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { recorder.add(Unknown?.none, key, isOptional: true) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    recorder.add(value, key, isOptional: false)
  }

  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    recorder.add(value, key, isOptional: true)
  }

  func encodeConditional<T: AnyObject & Encodable>(_ object: T, forKey key: Key) throws {
    recorder.add(object, key, isOptional: false)
  }

  // The library's own would leave a property that is nil out.

  private func present<T: Encodable>(_ value: T?, _ key: Key) {
    recorder.add(value, key, isOptional: true)
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { present(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { present(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { present(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { present(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { present(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { present(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { present(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { present(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { present(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { present(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { present(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { present(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { present(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { present(value, key) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    superEncoder(forKey: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    superEncoder(forKey: key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { recorder }

  /// A value that is written piece by piece may become anything.
  func superEncoder(forKey key: Key) -> any Encoder {
    recorder.add(Unknown?.none, key, isOptional: true)
    return IgnoredEncoder()
  }
}

/// A property of which no more is known than that it is there: its column has no type.
private struct Unknown: Encodable, SQLiteBindable {
  var sqliteValue: SQLiteValue { .null }
}

/// An encoder of what need not be known.
private struct IgnoredEncoder: Encoder, SingleValueEncodingContainer, UnkeyedEncodingContainer {
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  var count: Int { 0 }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(PropertyContainer<Key>(recorder: PropertyRecorder()))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }
  func encodeNil() throws {}
  func encode<T: Encodable>(_ value: T) throws {}
  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> { container(keyedBy: keyType) }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { self }
}

extension RowEncoder {
  /// How a column is declared that holds values of some Swift type.
  ///
  /// Affinities leave every value as it is. The texts of dates are no numbers, so `DATE`, which is numeric, does; of a type that
  /// binds what it wants nothing is known, and its column has no type.
  ///
  /// | type | column |
  /// |---|---|
  /// | integers | `INTEGER` |
  /// | `Double`, `Float` | `REAL` |
  /// | `Bool` | `BOOLEAN` |
  /// | `String`, `URL`, `UUID`, `Decimal` | `TEXT` |
  /// | `Date` | `DATE` |
  /// | `Data`, `[UInt8]` | `BLOB` |
  /// | an enum with raw values | as its raw values |
  /// | another ``SQLiteBindable`` | no type |
  public enum ColumnDeclaration {
    /// The declared type of a column, empty for none; `nil` for a type that no column holds as a single value.
    ///
    /// - Parameter type: Of an optional type, what is in it counts.
    public static func type(of type: Any.Type) -> String? {
      if let optional = type as? any OptionalType.Type { return self.type(of: optional.wrapped) }
      if type == Bool.self { return "BOOLEAN" }
      if type == String.self { return "TEXT" }
      if type == Double.self || type == Float.self { return "REAL" }
      if type == [UInt8].self { return "BLOB" }
      if let known = foundationType(type) { return known }
      let bindsItself = type is any SQLiteBindable.Type
      if bindsItself, type is any FixedWidthInteger.Type { return "INTEGER" }
      if let raw = type as? any RawRepresentable.Type {
        return rawType(raw) ?? (bindsItself ? "" : nil)
      }
      return bindsItself ? "" : nil
    }

    /// What is in an optional type; any other type itself.
    public static func unwrapped(_ type: Any.Type) -> Any.Type {
      (type as? any OptionalType.Type).map { unwrapped($0.wrapped) } ?? type
    }

    private static func rawType<Raw: RawRepresentable>(_ type: Raw.Type) -> String? {
      Raw.RawValue.self is any SQLiteBindable.Type ? self.type(of: Raw.RawValue.self) : nil
    }
  }
}

private protocol OptionalType {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}
