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
