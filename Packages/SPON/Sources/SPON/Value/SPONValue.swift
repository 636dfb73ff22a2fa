/// A value of any type that SPON supports.
///
/// ```swift
/// let value = try SPONValue(parsing: "@obj:Address<city$=`Oslo` zip!=`150`>")
/// print(value["city"]?.string ?? "nowhere")  // Oslo
/// ```
///
/// Two values are equal if their canonical forms are equal: `nan` equals `nan`, `0.0` does not
/// equal `-0.0`, and an integer never equals a `Double`.
public enum SPONValue: Sendable {
  /// The absence of a value.
  case null
  /// A boolean.
  case bool(Bool)
  /// A signed integer.
  case integer(Int64)
  /// An unsigned integer. It equals an ``integer(_:)`` with the same value.
  case unsigned(UInt64)
  /// A number of type `Float`.
  case float(Float)
  /// A number of type `Double`.
  case double(Double)
  /// A decimal number.
  case decimal(SPONDecimal)
  /// A text.
  case string(String)
  /// Binary data.
  case bytes([UInt8])
  /// A point in time.
  case instant(SPONInstant)
  /// Text without a type, which the original implementation wrote for types that it did not
  /// support.
  case opaque(String)
  /// A list of values.
  case array([SPONValue])
  /// Keys with values, and optionally a type name.
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
      // Hashed like the integer that it may equal.
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
  /// The bit pattern, which is the same for every NaN.
  var canonicalBits: UInt64 { isNaN ? Double.nan.bitPattern : bitPattern }
}

extension Float {
  /// The bit pattern, which is the same for every NaN.
  var canonicalBits: UInt32 { isNaN ? Float.nan.bitPattern : bitPattern }
}

extension SPONValue {
  /// The elements, if the value is an array.
  public var array: [SPONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The pairs, if the value is an object.
  public var object: SPONObject? {
    if case .object(let object) = self { object } else { nil }
  }

  /// The type name that was written, if the value is an object with one.
  public var typeName: String? {
    if case .object(let object) = self, !object.typeName.isEmpty { object.typeName } else { nil }
  }

  /// The value of a key; `nil` if this is not an object or does not have the key.
  ///
  /// Setting `nil` removes the key; setting the value of a new key appends it. Setting a value
  /// turns null into an object. For any other value, setting has no effect; use ``set(_:at:)`` to
  /// get an error instead.
  ///
  /// ```swift
  /// var order: SPONValue = ["id": 7, "address": ["city": "Oslo"]]
  /// order["address"]?["zip"] = 150
  /// print(order)  // @obj<id!=`7` address=@obj<city$=`Oslo` zip!=`150`>>
  /// ```
  ///
  /// - Complexity: The same as ``SPONObject/subscript(_:)``. The contents of the object are not
  ///   copied.
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

  /// The element at an index; `nil` if this is not an array or the index is out of range.
  ///
  /// Setting `nil` removes the element; setting a value at the end appends it. Setting a value at
  /// index 0 turns null into an array. In any other case, setting has no effect; use ``set(_:at:)``
  /// to get an error instead.
  ///
  /// - Complexity: O(1), or O(*n*) if an element is removed. The contents of the array are not
  ///   copied.
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
          // Moved out of the array, so that the value is uniquely referenced while it is modified.
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

  // Values are moved out before they are modified in place, so that they are uniquely referenced
  // and not copied. A function for this ends the lifetime of the value bound by the pattern.

  /// Moves the object out, and replaces it by null; `nil` if the value is not an object.
  mutating func takeObject() -> SPONObject? {
    guard case .object(let object) = self else { return nil }
    self = .null
    return object
  }

  /// Moves the elements out, and replaces them by null; `nil` if the value is not an array.
  mutating func takeArray() -> [SPONValue]? {
    guard case .array(let elements) = self else { return nil }
    self = .null
    return elements
  }
}

extension SPONValue {
  /// The values that contain no other values, in order, with their paths: scalars, and empty
  /// objects and arrays.
  ///
  /// ```swift
  /// let value: SPONValue = ["name": "Ada", "tags": ["a", "b"]]
  /// for (path, leaf) in value.leaves { print(path, leaf) }  // name `Ada`, tags[0] `a`, tags[1] `b`
  /// ```
  public var leaves: Leaves { Leaves(root: self) }
}

extension SPONValue {
  /// The values of a tree that contain no other values, with their paths.
  public struct Leaves: Sequence, Sendable {
    let root: SPONValue

    public func makeIterator() -> Iterator { Iterator(root: root) }

    /// Iterates over a tree without recursion.
    public struct Iterator: IteratorProtocol {
      /// A container, and the number of its values that were visited.
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
          if !push(root) { return (path, root) }
        }
        while let depth = frames.indices.last {
          let index = frames[depth].next
          guard index < frames[depth].values.count else {
            frames.removeLast()
            if !path.isEmpty { path.steps.removeLast() }
            continue
          }
          frames[depth].next += 1
          let value = frames[depth].values[index]
          path.steps.append(frames[depth].keys.map { .key($0[index]) } ?? .index(index))
          if !push(value) {
            defer { path.steps.removeLast() }
            return (path, value)
          }
        }
        return nil
      }

      /// Starts visiting the values inside a value. Returns whether there are any.
      private mutating func push(_ value: SPONValue) -> Bool {
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
  /// Creates null. If an optional value is expected, `nil` is the optional's: write `.null`
  /// instead.
  public init(nilLiteral: ()) { self = .null }
}

extension SPONValue: ExpressibleByBooleanLiteral {
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension SPONValue: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension SPONValue: ExpressibleByFloatLiteral {
  /// Creates a ``double(_:)``.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension SPONValue: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) { self = .string(value) }
}

extension SPONValue: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: SPONValue...) { self = .array(elements) }
}

extension SPONValue: ExpressibleByDictionaryLiteral {
  /// Creates an object from pairs, in order. If a key occurs twice, the last value is kept.
  public init(dictionaryLiteral elements: (String, SPONValue)...) {
    var object = SPONObject()
    for (key, value) in elements { object[key] = value }
    self = .object(object)
  }
}
