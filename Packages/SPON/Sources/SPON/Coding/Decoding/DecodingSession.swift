/// What one call of a decoder reads from: a tape, and where on it the next value is expected.
final class DecodingSession {
  let tape: Tape
  let options: SPONDecoder
  /// The values of the tape.
  let entries: [Tape.Entry]
  /// The different keys by number, as types name them; as they are written where that depends on where
  /// they stand.
  private let keys: ContiguousArray<String>
  /// Whether keys are read as they are written.
  private let keysArePlain: Bool
  private let keysAreASCII: Bool
  /// The entry behind the one that was read last: most types ask for keys in the order in which they
  /// are written.
  private var expected = 1
  /// Where each key of a large object is, once one was not where it was expected.
  private var places: [Indexed: [ExactText: Int]] = [:]
  /// In arrays that were asked for, the element that was asked for last, and its index.
  var elements: [Int: (entry: Int, index: Int)] = [:]

  init(_ tape: Tape, _ options: SPONDecoder) {
    self.tape = tape
    self.options = options
    entries = tape.entries
    keysAreASCII = tape.keysAreASCII
    switch options.keyDecodingStrategy {
    case .useDefaultKeys: (keys, keysArePlain) = (ContiguousArray(tape.keys), true)
    case .convertFromSnakeCase:
      (keys, keysArePlain) = (ContiguousArray(tape.keys.map(SnakeCase.camelCase)), false)
    case .custom: (keys, keysArePlain) = (ContiguousArray(tape.keys), false)
    }
  }

  /// Up to so many keys, looking at each is faster than an index.
  private static let mostSearched = 24
  static let missing = -1
}

// MARK: Keys

extension DecodingSession {
  /// How the keys of an object are matched.
  enum Matching {
    /// As the strategy has them that does not look at where they stand.
    case byName
    /// As they are written: those of a `[String: …]`.
    case asWritten
    /// As the closure has them.
    case byPath

    @inline(__always)
    init(_ type: Any.Type?, _ session: DecodingSession) {
      self = session.keysArePlain ? .byName : Matching(converting: type, session.options)
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

  /// The key of an entry.
  func key(of index: Int, _ matching: Matching) -> String {
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

  /// The entry of an object's value; ``missing`` where it has no such key.
  @inline(__always)
  func find(_ name: String, in object: Int, _ matching: Matching) -> Int {
    let index = expected
    if index < entries.count, entries[index].parent == Int32(truncatingIfNeeded: object),
      !entries[index].isSuperseded, isKey(of: index, name, matching)
    {
      return index
    }
    return search(name, in: object, matching)
  }

  @inline(__always)
  private func isKey(of index: Int, _ name: String, _ matching: Matching) -> Bool {
    guard case .byName = matching else { return key(of: index, matching).isSameUTF8(as: name) }
    let keys = keys
    let key = keys.span[Int(entries[index].key)]
    // A text that is equal may have other scalars. No key in ASCII is as long as such a one.
    return key == name && key.utf8.count == name.utf8.count
      && (keysAreASCII || key.utf8.elementsEqual(name.utf8))
  }

  private func search(_ name: String, in object: Int, _ matching: Matching) -> Int {
    let entry = entries[object]
    guard entry.count <= Self.mostSearched else {
      return index(of: Indexed(object: object, matching: matching))[ExactText(name)] ?? Self.missing
    }
    var at = object + 1
    while at < entry.end {
      if !entries[at].isSuperseded, isKey(of: at, name, matching) { return at }
      at = tape.end(of: at)
    }
    return Self.missing
  }

  private func index(of indexed: Indexed) -> [ExactText: Int] {
    if let places = places[indexed] { return places }
    var places: [ExactText: Int] = [:]
    for at in children(of: indexed.object) {
      let key = ExactText(key(of: at, indexed.matching))
      if places[key] == nil { places[key] = at }
    }
    self.places[indexed] = places
    return places
  }

  /// An object as one type reads it; another type may match its keys otherwise.
  private struct Indexed: Hashable {
    let object: Int
    let matching: Matching
  }

  /// The entries of what a container holds, superseded ones left out.
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

  /// Notes that a value was read.
  @inline(__always)
  func pass(_ index: Int) {
    expected = tape.end(of: index)
  }

  /// Notes that what an object holds is read next.
  @inline(__always)
  func enter(_ object: Int) { expected = object + 1 }
}

// MARK: Errors

/// What a failure says besides what an error of the standard library does, which types may catch. Where it is
/// in the text is looked for when it leaves the decoder: many are caught on the way.
private struct DecodingFailure: Error {
  let code: SPONError.Code
  /// The entry concerned.
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

  /// A number that its type does not hold.
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

  /// What the containers, or a type of the standard library or of Foundation, say of a value.
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
  /// What a value is, in words.
  var words: String {
    switch self {
    case .null: "null"
    case .bool: "a Bool"
    case .integer, .unsigned: "an integer"
    case .float: "a Float"
    case .double: "a Double"
    case .decimal: "a decimal number"
    case .string: "a text"
    case .opaque: "a text without a type"
    case .data: "data"
    case .instant: "an instant"
    case .object: "an object"
    case .array: "an array"
    case .end, .endOfDocument, .incomplete: "nothing"
    }
  }
}

/// Where entries stand. A type may ask for that at each element, and have errors that it does not throw on:
/// so what was counted for one element is kept for the next.
extension DecodingSession {
  /// The keys and indexes that lead to an entry.
  func path(to index: Int) -> [SPONPath.Key] {
    var path: [SPONPath.Key] = []
    var index = index
    while index >= 0, entries[index].parent >= 0 {
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

  /// The index of an element in its array.
  private func place(of element: Int, in array: Int) -> Int {
    var (at, place) = elements[array] ?? (array + 1, 0)
    if at > element { (at, place) = (array + 1, 0) }
    while at < element {
      at = tape.end(of: at)
      place += 1
    }
    elements[array] = (at, place)
    return place
  }
}
