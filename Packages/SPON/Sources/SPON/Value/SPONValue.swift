/// Anything that a text in SPON can say, with its type.
///
/// ```swift
/// let value = try SPONValue(parsing: "@obj:Address<city$=`Oslo` zip!=`150`>")
/// print(value["city"]?.string ?? "nowhere")  // Oslo
/// ```
///
/// Two values are equal if they are written alike in canonical form: `nan` equals `nan`, `0.0` does
/// not equal `-0.0`, and an integer never equals a `Double`.
public enum SPONValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// An integer of any size that a `UInt64` has; one that is an `Int64` equals that ``integer(_:)``.
  case unsigned(UInt64)
  case float(Float)
  case double(Double)
  case decimal(SPONDecimal)
  case string(String)
  case bytes([UInt8])
  case instant(SPONInstant)
  /// Text whose type is not said: what the original wrote for types that it did not know.
  case opaque(String)
  case array([SPONValue])
  indirect case object(SPONObject)
}

extension SPONValue: Hashable {
  public static func == (left: SPONValue, right: SPONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.unsigned(let left), .unsigned(let right)): left == right
    case (.integer(let signed), .unsigned(let unsigned)),
      (.unsigned(let unsigned), .integer(let signed)):
      Int64(exactly: unsigned) == signed
    case (.float(let left), .float(let right)):
      left.canonicalBits == right.canonicalBits
    case (.double(let left), .double(let right)):
      left.canonicalBits == right.canonicalBits
    case (.decimal(let left), .decimal(let right)): left == right
    case (.string(let left), .string(let right)): left.isSameUTF8(as: right)
    case (.bytes(let left), .bytes(let right)): left == right
    case (.instant(let left), .instant(let right)): left == right
    case (.opaque(let left), .opaque(let right)): left.isSameUTF8(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .unsigned(let value):
      // As the integer that it may equal.
      if let value = Int64(exactly: value) { hasher.combine(value) } else { hasher.combine(value) }
    case .float(let value): hasher.combine(value.canonicalBits)
    case .double(let value): hasher.combine(value.canonicalBits)
    case .decimal(let value): hasher.combine(value)
    case .string(let value), .opaque(let value): value.hashUTF8(into: &hasher)
    case .bytes(let value): hasher.combine(value)
    case .instant(let value): hasher.combine(value)
    case .array(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    }
  }
}

extension Double {
  /// The bits, alike for everything that is not a number.
  var canonicalBits: UInt64 { isNaN ? Double.nan.bitPattern : bitPattern }
}

extension Float {
  /// The bits, alike for everything that is not a number.
  var canonicalBits: UInt32 { isNaN ? Float.nan.bitPattern : bitPattern }
}

extension SPONValue {
  /// The elements, where this is an array.
  public var array: [SPONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The pairs, where this is an object.
  public var object: SPONObject? {
    if case .object(let object) = self { object } else { nil }
  }

  /// The name of the type that was written, where this is an object that has one.
  public var typeName: String? {
    if case .object(let object) = self, !object.typeName.isEmpty { object.typeName } else { nil }
  }

  /// The value of a key; `nil` where this is no object or does not have it.
  ///
  /// Setting `nil` removes the key, setting a value of a new key appends it. Null becomes an object when
  /// a value is set. On any other value setting has no effect; ``set(_:at:)`` is for who wants an error.
  ///
  /// ```swift
  /// var order: SPONValue = ["id": 7, "address": ["city": "Oslo"]]
  /// order["address"]?["zip"] = 150
  /// print(order)  // @obj<id!=`7` address=@obj<city$=`Oslo` zip!=`150`>>
  /// ```
  ///
  /// - Complexity: As ``SPONObject/subscript(_:)``; what the object holds is not copied.
  public subscript(key: String) -> SPONValue? {
    get {
      if case .object(let object) = self { object[key] } else { nil }
    }
    _modify {
      if var object = takeObject() {
        defer { self = .object(object) }
        yield &object[key]
      } else {
        var value: SPONValue?
        defer { if isNull, let value { self = .object([key: value]) } }
        yield &value
      }
    }
  }

  /// The element at an index; `nil` where this is no array or does not have it.
  ///
  /// Setting `nil` removes the element, setting a value at the end appends it. Null becomes an array when
  /// a value is set at 0. Elsewhere setting has no effect; ``set(_:at:)`` is for who wants an error.
  ///
  /// - Complexity: O(1), and O(*n*) where an element is removed; what the array holds is not copied.
  public subscript(index: Int) -> SPONValue? {
    get {
      if case .array(let elements) = self, elements.indices.contains(index) {
        elements[index]
      } else {
        nil
      }
    }
    _modify {
      var value: SPONValue?
      if var elements = takeArray() {
        let isElement = elements.indices.contains(index)
        if isElement {
          // Taken out, so that nobody else holds it while it is changed.
          value = elements[index]
          elements[index] = .null
        }
        defer {
          switch (value, isElement) {
          case (let value?, true): elements[index] = value
          case (nil, true): elements.remove(at: index)
          case (let value?, false): if index == elements.count { elements.append(value) }
          case (nil, false): break
          }
          self = .array(elements)
        }
        yield &value
      } else {
        defer { if isNull, index == 0, let value { self = .array([value]) } }
        yield &value
      }
    }
  }

  // What is changed in its place is taken out first, so that nobody else holds it meanwhile and no copy
  // of it is made. The functions end the life of what the pattern binds.

  /// The object, in whose place is null until it is put back; `nil` where this is none.
  mutating func takeObject() -> SPONObject? {
    guard case .object(let object) = self else { return nil }
    self = .null
    return object
  }

  /// The elements, in whose place is null until they are put back; `nil` where this is no array.
  mutating func takeArray() -> [SPONValue]? {
    guard case .array(let elements) = self else { return nil }
    self = .null
    return elements
  }
}

extension SPONValue {
  /// All values that hold no others, in order, each with the path to it: scalars, and objects and arrays
  /// that are empty.
  ///
  /// ```swift
  /// let value: SPONValue = ["name": "Ada", "tags": ["a", "b"]]
  /// for (path, leaf) in value.leaves { print(path, leaf) }  // name `Ada`, tags[0] `a`, tags[1] `b`
  /// ```
  public var leaves: Leaves { Leaves(root: self) }
}

extension SPONValue {
  /// The values of a tree that hold no others, with their paths.
  public struct Leaves: Sequence, Sendable {
    let root: SPONValue

    public func makeIterator() -> Iterator { Iterator(root: root) }

    /// Goes through a tree without recursion.
    public struct Iterator: IteratorProtocol {
      /// A container, and how many of its values were visited.
      private struct Frame {
        let values: [SPONValue]
        let keys: [String]?
        var next = 0
      }

      private var root: SPONValue?
      private var frames: [Frame] = []
      private var path = SPONPath()

      init(root: SPONValue) { self.root = root }

      public mutating func next() -> (path: SPONPath, value: SPONValue)? {
        if let root {
          self.root = nil
          if !enter(root) { return (path, root) }
        }
        while let depth = frames.indices.last {
          let place = frames[depth].next
          guard place < frames[depth].values.count else {
            frames.removeLast()
            if !path.isEmpty { path.steps.removeLast() }
            continue
          }
          frames[depth].next += 1
          let value = frames[depth].values[place]
          path.steps.append(frames[depth].keys.map { .key($0[place]) } ?? .index(place))
          if !enter(value) {
            defer { path.steps.removeLast() }
            return (path, value)
          }
        }
        return nil
      }

      /// Whether a value holds others, which are then visited next.
      private mutating func enter(_ value: SPONValue) -> Bool {
        switch value {
        case .array(let elements) where !elements.isEmpty:
          frames.append(Frame(values: elements, keys: nil))
        case .object(let object) where !object.isEmpty:
          frames.append(Frame(values: object.values, keys: object.keys))
        default: return false
        }
        return true
      }
    }
  }
}

extension SPONValue: ExpressibleByNilLiteral {
  /// Null. Where an optional value is expected, `nil` is that optional's: write `.null` there.
  public init(nilLiteral: ()) { self = .null }
}

extension SPONValue: ExpressibleByBooleanLiteral {
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension SPONValue: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension SPONValue: ExpressibleByFloatLiteral {
  /// A ``double(_:)``.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension SPONValue: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) { self = .string(value) }
}

extension SPONValue: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: SPONValue...) { self = .array(elements) }
}

extension SPONValue: ExpressibleByDictionaryLiteral {
  /// An object of the pairs in the order in which they are written. Of two with one key, the last holds.
  public init(dictionaryLiteral elements: (String, SPONValue)...) {
    var object = SPONObject()
    for (key, value) in elements { object[key] = value }
    self = .object(object)
  }
}
