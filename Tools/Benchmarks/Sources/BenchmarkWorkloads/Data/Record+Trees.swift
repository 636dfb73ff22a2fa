internal import SPON

/// The tree of values does not have the structure of records.
struct TreeError: Error {}

extension Record {
  init(_ value: SPONValue) throws {
    guard let object = value.object, let id = object["id"]?.int, let a = object["a"]?.int,
      let b = object["b"]?.int, let x = object["x"]?.double, let name = object["name"]?.string,
      let title = object["title"]?.string, let flag = object["flag"]?.bool
    else { throw TreeError() }
    self.init(
      id: id, a: a, b: b, x: x, y: object["y"]?.double, name: name, title: title,
      note: object["note"]?.string, flag: flag)
  }

  /// - Parameter value: The value that Foundation created from a JSON object.
  init(foundation value: Any) throws {
    guard let object = value as? [String: Any], let id = object["id"] as? Int,
      let a = object["a"] as? Int, let b = object["b"] as? Int, let x = object["x"] as? Double,
      let name = object["name"] as? String, let title = object["title"] as? String,
      let flag = object["flag"] as? Bool
    else { throw TreeError() }
    self.init(
      id: id, a: a, b: b, x: x, y: object["y"] as? Double, name: name, title: title,
      note: object["note"] as? String, flag: flag)
  }

  static func all(_ tree: SPONValue) throws -> [Record] {
    guard let array = tree.array else { throw TreeError() }
    return try array.map { try Record($0) }
  }

  static func all(foundation tree: Any) throws -> [Record] {
    guard let array = tree as? [Any] else { throw TreeError() }
    return try array.map { try Record(foundation: $0) }
  }
}

extension [Record] {
  /// Returns the records, with numbers replaced by the other records' numbers if these differ only
  /// in the last bit. `JSONSerialization` misreads some numbers with 17 digits.
  func ignoringLastBitDifferences(_ others: [Record]) -> [Record] {
    zip(self, others).map { record, other in
      var record = record
      record.x = record.x.replacedByNeighbor(other.x)
      if let y = record.y, let otherY = other.y { record.y = y.replacedByNeighbor(otherY) }
      return record
    }
  }
}

extension Double {
  fileprivate func replacedByNeighbor(_ other: Double) -> Double {
    self == other.nextUp || self == other.nextDown ? other : self
  }
}
