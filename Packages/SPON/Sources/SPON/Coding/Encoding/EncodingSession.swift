/// What one call of an encoder shares among everything that it writes.
final class EncodingSession {
  let options: SPONEncoder
  private var names: [ObjectIdentifier: [UInt8]] = [:]
  private var lastName: (type: ObjectIdentifier, text: [UInt8])?
  private var shapes: [ObjectIdentifier: KeyShape] = [:]
  private var lastShape: (type: ObjectIdentifier, shape: KeyShape)?
  /// The first thing that can't be reported where it happened.
  var failure: SPONError?
  /// Whether an object may have a key twice.
  var hasDuplicateKeys = false

  init(_ options: SPONEncoder) { self.options = options }

  func fail(_ error: SPONError) {
    if failure == nil { failure = error }
  }

  /// The head of an object of a type: `@obj:Name<`.
  ///
  /// Brackets of generic types are written as the original did; it called every dictionary so.
  func head(of type: Any.Type, _ output: inout Output) {
    let id = ObjectIdentifier(type)
    if let lastName, lastName.type == id {
      output.append(lastName.text)
      return
    }
    var text = names[id]
    if text == nil {
      var name = String(describing: type)
      name = name.hasPrefix("Dictionary<") ? "Dictionary" : Self.withoutBrackets(name)
      var head = Output(version: options.version)
      head.append("@obj")
      if options.writesTypeNames, !name.isEmpty {
        head.append(Byte.colon)
        head.typeName(name)
      }
      head.append(Byte.less)
      output.join(head)
      text = head.bytes
      names[id] = text
    }
    guard let text else { return }
    lastName = (id, text)
    output.append(text)
  }

  private static func withoutBrackets(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      text.unicodeScalars.append(scalar == "<" ? "(" : scalar == ">" ? ")" : scalar)
    }
    return text
  }

  /// The keys of a type that were written before.
  func shape(of type: any CodingKey.Type) -> KeyShape {
    let id = ObjectIdentifier(type)
    if let lastShape, lastShape.type == id { return lastShape.shape }
    let shape: KeyShape
    if let known = shapes[id] {
      shape = known
    } else {
      shape = KeyShape()
      shapes[id] = shape
    }
    lastShape = (id, shape)
    return shape
  }
}

/// Keys of one type, in the order in which they came, as they are written.
final class KeyShape {
  private(set) var names: [String] = []
  private(set) var texts: [[UInt8]] = []

  /// As many as the bits of the set of those that an object has used.
  static let capacity = 64

  /// The place of a name, which is expected at `place`.
  @inline(__always)
  func place(of name: String, expected place: Int) -> Int? {
    if place < names.count, names[place] == name { return place }
    return names.firstIndex(of: name)
  }

  /// Adds a name, where there is room.
  func add(_ name: String, _ text: [UInt8]) -> Int? {
    guard names.count < Self.capacity else { return nil }
    names.append(name)
    texts.append(text)
    return names.count - 1
  }
}
