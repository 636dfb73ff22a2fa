/// The encoder that a value receives. It writes the value to the current slot.
struct ValueEncoder {
  let node: EncodingNode
  /// The number of containers that are open around the value.
  let depth: Int
  /// The type whose name an object has.
  let type: Any.Type?

  /// Writes a value into the slot, and closes the containers that it opened. If the value throws,
  /// the slot is left in its current state.
  func write<Value: Encodable>(_ value: Value) throws {
    do {
      if try encodeFoundationType(value, to: self) { return }
      if try !(node.session.sortsElements && encodeSorted(value)) { try value.encode(to: self) }
    } catch {
      throw failure(error)
    }
    node.end(at: depth, type: Value.self)
  }

  /// Converts an error that a type threw. Not inlined, so that nested values need less of the
  /// stack.
  @inline(never)
  private func failure(_ error: any Error) -> any Error {
    (error as? EncodingError).map { SPONError($0, around: node.path) } ?? error
  }
}

extension ValueEncoder: Encoder {
  var codingPath: [any CodingKey] { node.path(to: depth) }

  var userInfo: [CodingUserInfoKey: Any] { node.session.options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(
      KeyedWriter(
        node: node,
        object: node.object(at: depth, type: self.type, keys: type)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedWriter(
      node: node, array: node.array(at: depth))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension ValueEncoder: SingleValueEncodingContainer {
  func encode<Value: Encodable>(_ value: Value) throws {
    let savepoint = node.savepoint
    do {
      // An object has the name of its own type, rather than of a wrapper type.
      try ValueEncoder(node: node, depth: depth, type: Value.self).write(value)
    } catch {
      node.undo(to: savepoint)
      throw error
    }
  }

  func encodeNil() throws { try node.scalar { $0.null(isPair: $1) } }
  func encode(_ value: Bool) throws { try node.scalar { $0.bool(value, isPair: $1) } }
  func encode(_ value: String) throws { try node.scalar { $0.string(value, isPair: $1) } }
  func encode(_ value: Double) throws { try node.scalar { $0.double(value, isPair: $1) } }
  func encode(_ value: Float) throws { try node.scalar { $0.float(value, isPair: $1) } }
  func encode(_ value: Int) throws { try node.scalar { $0.integer(Int64(value), isPair: $1) } }
  func encode(_ value: Int8) throws { try node.scalar { $0.integer(Int64(value), isPair: $1) } }
  func encode(_ value: Int16) throws { try node.scalar { $0.integer(Int64(value), isPair: $1) } }
  func encode(_ value: Int32) throws { try node.scalar { $0.integer(Int64(value), isPair: $1) } }
  func encode(_ value: Int64) throws { try node.scalar { $0.integer(value, isPair: $1) } }
  func encode(_ value: UInt) throws { try node.scalar { $0.unsigned(UInt64(value), isPair: $1) } }
  func encode(_ value: UInt8) throws { try node.scalar { $0.unsigned(UInt64(value), isPair: $1) } }
  func encode(_ value: UInt16) throws {
    try node.scalar { $0.unsigned(UInt64(value), isPair: $1) }
  }
  func encode(_ value: UInt32) throws {
    try node.scalar { $0.unsigned(UInt64(value), isPair: $1) }
  }
  func encode(_ value: UInt64) throws { try node.scalar { $0.unsigned(value, isPair: $1) } }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: Int128) throws { try node.scalar { $0.wide(value, isPair: $1) } }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: UInt128) throws { try node.scalar { $0.wide(value, isPair: $1) } }
}

extension SPONError {
  /// Converts an error of a type of the standard library or Foundation.
  init(_ error: EncodingError, around path: [SPONPath.Key]) {
    guard case .invalidValue(_, let context) = error else {
      self.init(.notRepresentable, String(describing: error), codingPath: path)
      return
    }
    // The type may have thrown in a nested container, whose path is longer.
    let own = context.codingPath.map { SPONPath.Key($0) }
    self.init(
      .notRepresentable, context.debugDescription,
      codingPath: own.count > path.count && own.starts(with: path) ? own : path)
  }
}
