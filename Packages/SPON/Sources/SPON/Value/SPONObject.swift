/// An ordered dictionary from keys to values, with a type name.
///
/// ```swift
/// var address = SPONObject(typeName: "Address")
/// address["city"] = .string("Oslo")
/// address["zip"] = .integer(150)
/// print(address.keys)  // ["city", "zip"]
/// ```
///
/// Keys that differ in any scalar are different, even if they are equal as `String` values. Two
/// objects are equal if they have the same type name, and the same values for the same keys in any
/// order.
///
/// - Complexity: Looking up a key is O(1), even in large objects; removing one is O(*n*).
public struct SPONObject: Sendable {
  /// The type name that was written; empty if there is none. It does not affect how the object is
  /// read.
  public var typeName: String
  /// The keys, in order. Objects from one text share the array if their keys are equal.
  public private(set) var keys: [String]
  /// The values, in the order of the keys.
  public private(set) var values: [SPONValue]
  /// The index of each key, in objects with many keys.
  private var places: [ExactText: Int]?

  /// Creates an object without keys.
  public init(typeName: String = "") {
    self.typeName = typeName
    keys = []
    values = []
  }

  /// Creates an object from pairs, in order. If a key occurs twice, the last value is kept.
  ///
  /// ```swift
  /// let address = SPONObject(typeName: "Address", ["city": "Oslo", "zip": 150])
  /// ```
  public init(typeName: String = "", _ pairs: KeyValuePairs<String, SPONValue>) {
    self.init(typeName: typeName)
    for (key, value) in pairs { self[key] = value }
  }

  /// Creates an object whose keys are known to be distinct.
  init(typeName: String, distinctKeys keys: [String], values: [SPONValue]) {
    self.typeName = typeName
    self.keys = keys
    self.values = values
    if keys.count > Self.linearSearchLimit { index() }
  }

  /// The number of keys.
  public var count: Int { keys.count }
  public var isEmpty: Bool { keys.isEmpty }

  /// The value of a key; `nil` if the object does not have the key. Setting `nil` removes the key;
  /// setting the value of a new key appends it. A value is modified in place, without being copied.
  public subscript(key: String) -> SPONValue? {
    get { place(of: key).map { values[$0] } }
    _modify {
      let place = place(of: key)
      var value: SPONValue?
      if let place {
        // Moved out of the array, so that the value is uniquely referenced while it is modified.
        value = values[place]
        values[place] = .null
      }
      defer { put(value, at: place, forKey: key) }
      yield &value
    }
  }

  private mutating func put(_ value: SPONValue?, at place: Int?, forKey key: String) {
    switch (place, value) {
    case (let place?, let value?): values[place] = value
    case (let place?, nil): remove(at: place)
    case (nil, let value?): append(value, forKey: key)
    case (nil, nil): break
    }
  }

  /// Returns the index of a key in ``keys``.
  public func place(of key: String) -> Int? {
    if let places { return places[ExactText(key)] }
    return keys.firstIndex { $0.isSameUTF8(as: key) }
  }

  private mutating func append(_ value: SPONValue, forKey key: String) {
    keys.append(key)
    values.append(value)
    if places != nil {
      places?[ExactText(key)] = keys.count - 1
    } else if keys.count > Self.linearSearchLimit {
      index()
    }
  }

  private mutating func remove(at place: Int) {
    keys.remove(at: place)
    values.remove(at: place)
    if places != nil { index() }
  }

  private mutating func index() {
    var places: [ExactText: Int] = [:]
    places.reserveCapacity(keys.count)
    for (place, key) in keys.enumerated() { places[ExactText(key)] = place }
    self.places = places
  }

  /// The number of keys up to which a linear search is faster than hashing.
  private static let linearSearchLimit = 16
}

extension SPONObject: Hashable {
  public static func == (left: SPONObject, right: SPONObject) -> Bool {
    guard left.typeName.isSameUTF8(as: right.typeName), left.count == right.count else {
      return false
    }
    for (place, key) in left.keys.enumerated() {
      guard let other = right.place(of: key), left.values[place] == right.values[other] else {
        return false
      }
    }
    return true
  }

  public func hash(into hasher: inout Hasher) {
    typeName.hashUTF8(into: &hasher)
    // Independent of the order, since equal objects may have different orders.
    var sum = 0
    for (place, key) in keys.enumerated() {
      var pair = Hasher()
      key.hashUTF8(into: &pair)
      pair.combine(values[place])
      sum &+= pair.finalize()
    }
    hasher.combine(sum)
  }
}

extension SPONObject: Sequence {
  public typealias Element = (key: String, value: SPONValue)

  /// The pairs, in order.
  public func makeIterator() -> Iterator { Iterator(object: self) }

  /// Iterates over the pairs of an object.
  public struct Iterator: IteratorProtocol {
    let object: SPONObject
    private var place = 0

    init(object: SPONObject) { self.object = object }

    public mutating func next() -> Element? {
      guard place < object.count else { return nil }
      defer { place += 1 }
      return (object.keys[place], object.values[place])
    }
  }
}

extension SPONObject: ExpressibleByDictionaryLiteral {
  /// Creates an object from pairs, in order. If a key occurs twice, the last value is kept.
  public init(dictionaryLiteral elements: (String, SPONValue)...) {
    self.init()
    for (key, value) in elements { self[key] = value }
  }
}
