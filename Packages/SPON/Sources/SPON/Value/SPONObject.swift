/// Values by their keys, in order, with the name of a type.
///
/// ```swift
/// var address = SPONObject(typeName: "Address")
/// address["city"] = .string("Oslo")
/// address["zip"] = .integer(150)
/// print(address.keys)  // ["city", "zip"]
/// ```
///
/// Keys that differ in any scalar are different, also where `String` has them equal. Two objects are
/// equal if they have the same type name and the same values for the same keys, in whatever order.
///
/// - Complexity: Finding a key is O(1), also in large objects; removing one is O(*n*).
public struct SPONObject: Sendable {
  /// The name of the type that was written; empty where there is none. It says nothing of how the
  /// object is read.
  public var typeName: String
  /// The keys, in order. Objects that were read from one text share them where they are alike.
  public private(set) var keys: [String]
  /// The values, in the order of the keys.
  public private(set) var values: [SPONValue]
  /// Where each key is, in objects with many.
  private var places: [ExactText: Int]?

  /// An object without keys.
  public init(typeName: String = "") {
    self.typeName = typeName
    keys = []
    values = []
  }

  /// An object of pairs, in their order. Of two with one key, the last holds.
  ///
  /// ```swift
  /// let address = SPONObject(typeName: "Address", ["city": "Oslo", "zip": 150])
  /// ```
  public init(typeName: String = "", _ pairs: KeyValuePairs<String, SPONValue>) {
    self.init(typeName: typeName)
    for (key, value) in pairs { self[key] = value }
  }

  /// An object with keys that are known to be different.
  init(typeName: String, distinctKeys keys: [String], values: [SPONValue]) {
    self.typeName = typeName
    self.keys = keys
    self.values = values
    if keys.count > Self.mostSearched { index() }
  }

  /// How many keys there are.
  public var count: Int { keys.count }
  public var isEmpty: Bool { keys.isEmpty }

  /// The value of a key; `nil` where there is none. Setting `nil` removes the key, setting a value of a
  /// new key appends it. A value is changed where it stands, without a copy of what it holds.
  public subscript(key: String) -> SPONValue? {
    get { place(of: key).map { values[$0] } }
    _modify {
      let place = place(of: key)
      var value: SPONValue?
      if let place {
        // Taken out, so that nobody else holds it while it is changed.
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

  /// The place of a key among ``keys``.
  public func place(of key: String) -> Int? {
    if let places { return places[ExactText(key)] }
    return keys.firstIndex { $0.isSameUTF8(as: key) }
  }

  private mutating func append(_ value: SPONValue, forKey key: String) {
    keys.append(key)
    values.append(value)
    if places != nil {
      places?[ExactText(key)] = keys.count - 1
    } else if keys.count > Self.mostSearched {
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

  /// Up to so many keys, looking at each is faster than hashing one.
  private static let mostSearched = 16
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
    // In whatever order, since equal objects may differ in it.
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

  /// Goes through the pairs of an object.
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
  /// The pairs in the order in which they are written. Of two with one key, the last holds.
  public init(dictionaryLiteral elements: (String, SPONValue)...) {
    self.init()
    for (key, value) in elements { self[key] = value }
  }
}
