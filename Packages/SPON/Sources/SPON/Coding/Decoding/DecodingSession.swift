internal import Primitives

/// The state of one decoding call: the tape, and the position at which the next value is expected.
final class DecodingSession {
  let tape: Tape
  let options: SPONDecoder
  /// The entries of the tape.
  let entries: [Tape.Entry]
  /// The distinct keys by number, after conversion by the key strategy. If the conversion depends
  /// on the path, the keys are unconverted.
  private let keys: ContiguousArray<String>
  /// Indicates whether keys are read unchanged.
  private let keysAreUnconverted: Bool
  private let keysAreASCII: Bool
  /// The entry after the one that was read last. Most types request keys in the order of the text.
  private var expected = 1
  /// The entries of a large object by key, once a key was not at its expected position.
  private var places: [KeyIndexID: [ExactText: Int]] = [:]
  /// The last requested element of each array, with its index, for counting on from there.
  var elements: [Int: (entry: Int, index: Int)] = [:]

  init(_ tape: Tape, _ options: SPONDecoder) {
    self.tape = tape
    self.options = options
    entries = tape.entries
    keysAreASCII = tape.keysAreASCII
    switch options.keyDecodingStrategy {
    case .useDefaultKeys: (keys, keysAreUnconverted) = (ContiguousArray(tape.keys), true)
    case .convertFromSnakeCase:
      (keys, keysAreUnconverted) = (ContiguousArray(tape.keys.map(\.camelCased)), false)
    case .custom: (keys, keysAreUnconverted) = (ContiguousArray(tape.keys), false)
    }
  }

  /// The number of keys up to which a linear search is faster than an index.
  private static let linearSearchLimit = 24
  static let missing = -1
}

// MARK: Keys

extension DecodingSession {
  /// The way in which an object's keys are matched.
  enum KeyMatching {
    /// By the converted key, if the conversion does not depend on the path.
    case byName
    /// By the unconverted key, as for a `[String: …]`.
    case asWritten
    /// By the key that the closure returns for its path.
    case byPath

    @inline(__always)
    init(_ type: Any.Type?, _ session: DecodingSession) {
      self = session.keysAreUnconverted ? .byName : KeyMatching(converting: type, session.options)
    }

    @inline(never)
    private init(converting type: Any.Type?, _ options: SPONDecoder) {
      if type is any StringKeyed.Type {
        self = .asWritten
      } else if case .custom = options.keyDecodingStrategy {
        self = .byPath
      } else {
        self = .byName
      }
    }
  }

  /// Returns the key of an entry.
  func key(of index: Int, _ matching: KeyMatching) -> String {
    let number = Int(entries[index].key)
    guard number >= 0 else { return "" }
    switch matching {
    case .byName: return keys[number]
    case .asWritten: return tape.keys[number]
    case .byPath:
      guard case .custom(let convert) = options.keyDecodingStrategy else { return keys[number] }
      return convert(path(to: index)).stringValue
    }
  }

  /// Returns the entry of an object's value, or ``missing`` if the object has no such key.
  @inline(__always)
  func find(_ name: String, in object: Int, _ matching: KeyMatching) -> Int {
    let index = expected
    if index < entries.count, entries[index].parent == Int32(truncatingIfNeeded: object),
      !entries[index].isSuperseded, isKey(of: index, name, matching)
    {
      return index
    }
    return search(name, in: object, matching)
  }

  @inline(__always)
  private func isKey(of index: Int, _ name: String, _ matching: KeyMatching) -> Bool {
    StepCounter.step()
    guard case .byName = matching else { return key(of: index, matching).isSameUTF8(as: name) }
    let keys = keys
    let key = keys.span[Int(entries[index].key)]
    // Equal strings may consist of different scalars. In that case, their lengths differ if the key
    // is ASCII.
    return key == name && key.utf8.count == name.utf8.count
      && (keysAreASCII || key.utf8.elementsEqual(name.utf8))
  }

  private func search(_ name: String, in object: Int, _ matching: KeyMatching) -> Int {
    let entry = entries[object]
    guard entry.count <= Self.linearSearchLimit else {
      return index(of: KeyIndexID(object: object, matching: matching))[ExactText(name)]
        ?? Self.missing
    }
    var at = object + 1
    while at < entry.end {
      if !entries[at].isSuperseded, isKey(of: at, name, matching) { return at }
      at = tape.end(of: at)
    }
    return Self.missing
  }

  private func index(of indexed: KeyIndexID) -> [ExactText: Int] {
    if let places = places[indexed] { return places }
    var places: [ExactText: Int] = [:]
    for at in children(of: indexed.object) {
      StepCounter.step()
      let key = ExactText(key(of: at, indexed.matching))
      if places[key] == nil { places[key] = at }
    }
    self.places[indexed] = places
    return places
  }

  /// An object and the way in which a type matches its keys.
  private struct KeyIndexID: Hashable {
    let object: Int
    let matching: KeyMatching
  }

  /// Returns the entries of a container's values, without superseded ones.
  func children(of container: Int) -> [Int] {
    var children: [Int] = []
    children.reserveCapacity(entries[container].count)
    var at = container + 1
    while at < entries[container].end {
      if !entries[at].isSuperseded { children.append(at) }
      at = tape.end(of: at)
    }
    return children
  }

  /// Records that a value was read.
  @inline(__always)
  func pass(_ index: Int) {
    expected = tape.end(of: index)
  }

  /// Records that an object's first value is read next.
  @inline(__always)
  func beginObject(_ object: Int) { expected = object + 1 }
}

// MARK: Errors

/// The details of a failure that `DecodingError`, which types may catch, does not contain. The
/// position in the text is computed only when the error leaves the decoder, since many errors are
/// caught before.
private struct DecodingFailure: Error {
  let code: SPONError.Code
  /// The entry that caused the failure.
  let index: Int
}

extension DecodingSession {
  func corrupted(_ message: String, at index: Int) -> DecodingError {
    .dataCorrupted(context(.dataCorrupted, message, at: index))
  }

  func missingKey(_ key: String, in object: Int) -> DecodingError {
    .keyNotFound(
      SPONPath.Key.key(key), context(.keyNotFound, "the object has no key \"\(key)\"", at: object))
  }

  func endOfArray(_ array: Int, _ place: Int, _ type: Any.Type) -> DecodingError {
    .valueNotFound(
      type,
      context(
        .valueNotFound, "expected \(type), found the end of the array", at: array,
        step: .index(place)))
  }

  func mismatch(_ index: Int, _ type: Any.Type) -> DecodingError {
    let kind = entries[index].kind
    guard kind != .null else {
      return .valueNotFound(
        type, context(.valueNotFound, "expected \(type), found null", at: index))
    }
    return .typeMismatch(
      type, context(.typeMismatch, "expected \(type), found \(kind.words)", at: index))
  }

  /// Returns an error for a number that its type can't represent exactly.
  func loss(_ index: Int, _ type: Any.Type) -> DecodingError {
    let content = String(decoding: tape.bytes[entries[index].content], as: UTF8.self)
    return .typeMismatch(
      type,
      context(.typeMismatch, "expected \(type), which cannot hold \(content) exactly", at: index))
  }

  private func context(
    _ code: SPONError.Code, _ message: String, at index: Int, step: SPONPath.Key? = nil
  ) -> DecodingError.Context {
    DecodingError.Context(
      codingPath: path(to: index) + (step.map { [$0] } ?? []), debugDescription: message,
      underlyingError: DecodingFailure(code: code, index: index))
  }

  /// Converts an error of a container, or of a type of the standard library or Foundation.
  func error(_ error: DecodingError) -> SPONError {
    switch error {
    case .typeMismatch(_, let context): self.error(.typeMismatch, context)
    case .valueNotFound(_, let context): self.error(.valueNotFound, context)
    case .keyNotFound(_, let context): self.error(.keyNotFound, context)
    case .dataCorrupted(let context): self.error(.dataCorrupted, context)
    @unknown default:
      SPONError(.dataCorrupted, String(describing: error))
    }
  }

  private func error(_ code: SPONError.Code, _ context: DecodingError.Context) -> SPONError {
    let failure = context.underlyingError as? DecodingFailure
    return SPONError(
      failure?.code ?? code, context.debugDescription,
      at: tape.position(of: failure?.index ?? tape.entry(at: context.codingPath)),
      codingPath: context.codingPath.map { SPONPath.Key($0) })
  }
}

extension Token.Kind {
  /// A description of the kind of value.
  var words: String {
    switch self {
    case .null: "null"
    case .bool: "a Bool"
    case .integer, .unsigned: "an integer"
    case .float: "a Float"
    case .double: "a Double"
    case .decimal: "a decimal number"
    case .string: "a string"
    case .opaque: "an untyped string"
    case .data: "data"
    case .instant: "an instant"
    case .object: "an object"
    case .array: "an array"
    case .end, .endOfDocument, .incomplete: "nothing"
    }
  }
}

/// Paths to entries. A type may request the path of each element, and cause errors that it catches,
/// so the index of the last requested element is cached.
extension DecodingSession {
  /// Returns the path to an entry.
  func path(to index: Int) -> [SPONPath.Key] {
    var path: [SPONPath.Key] = []
    var index = index
    while index >= 0, entries[index].parent >= 0 {
      StepCounter.step()
      let entry = entries[index]
      let container = Int(entry.parent)
      if entry.key >= 0 {
        path.append(.key(tape.keys[Int(entry.key)]))
      } else {
        path.append(.index(place(of: index, in: container)))
      }
      index = container
    }
    return path.reversed()
  }

  /// Returns the index of an element in its array.
  private func place(of element: Int, in array: Int) -> Int {
    var (at, place) = elements[array] ?? (array + 1, 0)
    if at > element { (at, place) = (array + 1, 0) }
    while at < element {
      StepCounter.step()
      at = tape.end(of: at)
      place += 1
    }
    elements[array] = (at, place)
    return place
  }
}
