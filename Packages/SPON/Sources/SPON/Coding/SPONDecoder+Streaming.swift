extension SPONDecoder {
  /// Reads a value from an element of a stream.
  ///
  /// ```swift
  /// var reader = SPONElementReader()
  /// reader.append(chunk)
  /// while let element = try reader.next() {
  ///   people.append(try decoder.decode(Person.self, from: element))
  /// }
  /// ```
  ///
  /// The rules and limits are those of the element's reader.
  ///
  /// - Throws: As ``decode(_:from:)`` of a text does, with places and paths in the stream.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from element: SPONElementReader.Element
  ) throws -> Value {
    let tape = try element.tape()
    do {
      return try decode(type, from: tape)
    } catch let error as SPONError {
      throw element.located(error)
    }
  }
}

extension SPONElementReader.Elements {
  /// The elements as values of a type.
  ///
  /// ```swift
  /// for try await person in SPONElementReader.Elements(of: chunks).decoded(as: Person.self) {
  ///   print(person.name)
  /// }
  /// ```
  public func decoded<Value: Decodable & SendableMetatype>(
    as type: Value.Type = Value.self, with decoder: SPONDecoder = SPONDecoder()
  ) -> AsyncThrowingMapSequence<Self, Value> {
    map { try decoder.decode(type, from: $0) }
  }
}

extension SPONStreamWriter {
  /// Writes a value of a type that is `Encodable`: the root, behind a key, or as an element.
  ///
  /// The version, the layout and the limits are those of the writer.
  ///
  /// - Throws: ``SPONError``, as ``write(_:)`` and ``SPONEncoder/encode(_:)`` do, and what the type
  ///   itself throws. Nothing is written then.
  /// - Complexity: O(*n*) in the length of the text. What is laid out or sorted, a root, and a single
  ///   value are made a tree first.
  public mutating func write(
    encoding value: some Encodable, with encoder: SPONEncoder = SPONEncoder()
  ) throws {
    var encoder = encoder
    encoder.version = version
    encoder.outputFormatting = []
    encoder.limits.depth = depthLeft
    var text: Output?
    var tree = SPONValue.null
    do {
      if mayTakeText { text = try encoder.container(of: value) }
      if text == nil {
        // As a tree, a value is of no version yet.
        encoder.version = .automatic
        tree = try encoder.value(of: value)
      }
    } catch let error as SPONError {
      throw SPONError(error.code, error.message, codingPath: path + error.codingPath)
    }
    if let text { try write(container: text) } else { try write(tree) }
  }
}
