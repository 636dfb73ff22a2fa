extension RowEncoder {
  /// The properties of a type, determined from the encoding of a value: their names, declared types, and whether they
  /// are optional, even if they are `nil`.
  ///
  /// ```swift
  /// let properties = try RowEncoder.Properties(of: Player())
  /// for property in properties.all { print(property.name, property.type, property.isOptional) }
  /// ```
  public struct Properties {
    /// A property of the type.
    public struct Property {
      /// The property's key.
      public let name: String
      /// The property's type; for an optional property, the wrapped type.
      public let type: any Encodable.Type
      public let isOptional: Bool
      /// The property's value, or `nil` if the property is `nil`.
      public let value: (any Encodable)?
    }

    /// The properties, in the order in which they are encoded.
    public let all: [Property]
    /// Indicates whether the value encodes a keyed container, rather than a single value or a list.
    public let isNamed: Bool

    /// - Throws: Any error that the value's `encode(to:)` throws.
    public init(of value: some Encodable) throws {
      let recorder = PropertyRecorder()
      try value.encode(to: recorder)
      all = recorder.properties
      isNamed = !recorder.isUnnamed
    }

    /// The property with a name, or `nil` if there is none.
    public subscript(name: String) -> Property? { all.first { $0.name == name } }
  }
}

/// An encoder that records the properties of a value.
private final class PropertyRecorder: Encoder {
  typealias Property = RowEncoder.Properties.Property

  private(set) var properties: [Property] = []
  /// Indicates whether the value was encoded without names for columns.
  private(set) var isUnnamed = false

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(PropertyContainer<Key>(recorder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    isUnnamed = true
    return DiscardingEncoder().unkeyedContainer()
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    isUnnamed = true
    return DiscardingEncoder()
  }

  func add<T: Encodable>(_ value: T?, _ key: some CodingKey, isOptional: Bool) {
    let property = Property(
      name: key.stringValue, type: T.self, isOptional: isOptional, value: value)
    if let index = properties.firstIndex(where: { $0.name == property.name }) {
      properties[index] = property
    } else {
      properties.append(property)
    }
  }
}

private struct PropertyContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let recorder: PropertyRecorder

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { recorder.add(UntypedValue?.none, key, isOptional: true) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    recorder.add(value, key, isOptional: false)
  }

  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    recorder.add(value, key, isOptional: true)
  }

  func encodeConditional<T: AnyObject & Encodable>(_ object: T, forKey key: Key) throws {
    recorder.add(object, key, isOptional: false)
  }

  // The standard library's implementations would omit a property that is `nil`.

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

  /// Records a property of unknown type: a value that is written through a nested container can have any type.
  func superEncoder(forKey key: Key) -> any Encoder {
    recorder.add(UntypedValue?.none, key, isOptional: true)
    return DiscardingEncoder()
  }
}

/// The type of a property whose type is unknown. Its column has no declared type.
private struct UntypedValue: Encodable, SQLiteBindable {
  var sqliteValue: SQLiteValue { .null }
}

/// An encoder that discards its input.
private struct DiscardingEncoder: Encoder, SingleValueEncodingContainer, UnkeyedEncodingContainer {
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
  /// The declared types of columns for Swift types.
  ///
  /// The affinity leaves every value unchanged. `DATE` has a numeric affinity, but date texts are not numbers and are
  /// left unchanged. A column for another ``SQLiteBindable`` type, which can bind any value, has no declared type.
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
    /// Returns the declared type of a column, empty for none, or `nil` for a type that no column can hold as a single
    /// value.
    ///
    /// - Parameter type: The type. For an optional type, the wrapped type is used.
    public static func type(of type: Any.Type) -> String? {
      if let optional = type as? any OptionalType.Type { return self.type(of: optional.wrapped) }
      if type == Bool.self { return "BOOLEAN" }
      if type == String.self { return "TEXT" }
      if type == Double.self || type == Float.self { return "REAL" }
      if type == [UInt8].self { return "BLOB" }
      if let declaredType = foundationType(type) { return declaredType }
      let bindsItself = type is any SQLiteBindable.Type
      if bindsItself, type is any FixedWidthInteger.Type { return "INTEGER" }
      if let raw = type as? any RawRepresentable.Type {
        return rawType(raw) ?? (bindsItself ? "" : nil)
      }
      return bindsItself ? "" : nil
    }

    /// Returns the innermost wrapped type of an optional type, or the type itself.
    public static func unwrapped(_ type: Any.Type) -> Any.Type {
      (type as? any OptionalType.Type).map { unwrapped($0.wrapped) } ?? type
    }

    private static func rawType<Raw: RawRepresentable>(_ type: Raw.Type) -> String? {
      Raw.RawValue.self is any SQLiteBindable.Type ? self.type(of: Raw.RawValue.self) : nil
    }
  }
}
