internal import SQLiteCore

/// A graph of objects and all objects that they refer to, encoded as values to write: created on
/// the caller's thread, and written on another one.
struct ObjectGraph: Sendable {
  struct Object: Sendable {
    let mapping: TableMapping
    /// A Boolean value that indicates whether the object is an instance of a class, so that it is
    /// not a copy of another object.
    let isInstance: Bool
    var values: [SQLiteValue] = []
    /// The columns that refer to other objects, and the indexes of these objects.
    var references: [(column: Int, object: Int)] = []
    var links: [Links] = []
    /// The row's loaded values, if it was loaded for a back reference.
    var rowSnapshot: [SQLiteValue]?
  }

  struct Links: Sendable {
    /// The index of the list in its mapping.
    let list: Int
    var objects: [Int]
    let unloaded: [Record.Key]
    /// A Boolean value that indicates whether the list was changed since it was loaded, or was
    /// filled. An unchanged list is ignored if another copy of the list was changed.
    let wasChanged: Bool

    var isEmpty: Bool { objects.isEmpty && unloaded.isEmpty }
  }

  var objects: [Object] = []
  /// The indexes of the objects passed to `save`, in order.
  var roots: [Int] = []
  /// For each object, the index of the object that is written for it: another one if both are the
  /// same row.
  var representatives: [Int] = []
}

/// Encodes objects and all objects that they refer to. An instance of a class is encoded once, so
/// that cycles end.
final class ObjectGraphEncoder {
  private(set) var graph = ObjectGraph()
  /// The objects, which must stay alive while their addresses identify them.
  private(set) var originals: [any DataTable] = []
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var bindings: [ObjectIdentifier: RowEncoder.Binding] = [:]
  /// The references of the current object.
  private var references: [(column: Int, object: Int)] = []
  private var links: [ObjectGraph.Links] = []
  private var rowSnapshots: [[SQLiteValue]] = []

  init<Root: DataTable>(_ roots: some Sequence<Root>) throws {
    for root in roots { graph.roots.append(try add(root, as: Root.self)) }
    var next = 0
    while next < graph.objects.count {
      try encode(next)
      next += 1
    }
    try graph.mergeCopies()
  }

  /// Returns the index of an object, which is encoded later.
  private func add(_ object: some DataTable, as type: any DataTable.Type) throws -> Int {
    let number = graph.objects.count
    let isInstance = type is AnyClass
    if isInstance {
      let identity = ObjectIdentifier(object as AnyObject)
      if let known = numbers[identity] { return known }
      try TableMapping.requireExactType(object, than: type)
      numbers[identity] = number
    }
    graph.objects.append(
      ObjectGraph.Object(mapping: try TableMapping.of(type), isInstance: isInstance))
    originals.append(object)
    return number
  }

  private func encode(_ number: Int) throws {
    let mapping = graph.objects[number].mapping
    references = []
    links = []
    rowSnapshots = []
    graph.objects[number].values = try values(of: originals[number], mapping)
    graph.objects[number].references = references
    graph.objects[number].links = links
    // Each of several lists must be unchanged.
    graph.objects[number].rowSnapshot = rowSnapshots.count == links.count ? rowSnapshots.first : nil
  }

  private func values(of object: some DataTable, _ mapping: TableMapping) throws -> [SQLiteValue] {
    let identity = ObjectIdentifier(mapping.type)
    if let binding = bindings[identity] { return try binding.values(of: object) }
    let binding = RowEncoder.Binding(columns: mapping.columns.map(\.name)) {
      [unowned self] type, property in
      replacement(of: type, property, mapping)
    }
    bindings[identity] = binding
    return try binding.values(of: object)
  }

  private func replacement(
    of type: any Encodable.Type, _ property: String, _ mapping: TableMapping
  ) -> RowEncoder.Binding.Replacement? {
    switch PropertyKind(type) {
    case .column: return nil
    case .document: return Documents.text
    case .table(let referencedType):
      guard let column = mapping.columns.firstIndex(where: { $0.name == property }) else {
        return nil
      }
      return { [unowned self] value in
        guard let object = value as? any DataTable else { return .null }
        references.append((column, try add(object, as: referencedType)))
        return .null
      }
    case .links:
      guard let list = mapping.links.firstIndex(where: { $0.property == property }) else {
        return nil
      }
      return { [unowned self] value in
        try addLinks(value, list, mapping)
        return nil
      }
    }
  }

  private func addLinks(_ value: any Encodable, _ list: Int, _ mapping: TableMapping) throws {
    guard let value = value as? any AnyCrossReference else { return }
    let known = mapping.links[list]
    guard value.definition == known.definition else {
      throw ProviderError(
        .schemaMismatch, "the table of links differs from the one in init()'s value",
        table: mapping.table, column: known.property)
    }
    var objects: [Int] = []
    for element in value.elements { objects.append(try add(element, as: known.elementType)) }
    if let rowSnapshot = value.rowSnapshot { rowSnapshots.append(rowSnapshot) }
    links.append(
      ObjectGraph.Links(
        list: list, objects: objects, unloaded: value.unloaded, wasChanged: value.wasChanged))
  }
}

extension TableMapping {
  /// Refuses an instance of a subclass as a value of its superclass's type: its row would be in the
  /// superclass's table, and the subclass's properties would be lost.
  static func requireExactType(
    _ object: some DataTable, than type: any DataTable.Type
  ) throws(ProviderError) {
    let actual = Swift.type(of: object as any DataTable)
    guard actual == type else {
      throw ProviderError(
        .schemaMismatch,
        "an instance of \(actual) can't be stored in the table of its declared type \(type)",
        table: type.tableName)
    }
  }
}

/// A graph can contain a row several times, as copies of a value or as two instances: each row is
/// written once.
extension ObjectGraph {
  /// Finds the objects that are the same row, and selects the first one to be written.
  ///
  /// Of the objects passed to `save`, the last is written, as if they were saved one after another.
  ///
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/conflictingCopies`` if the objects
  ///   differ.
  mutating func mergeCopies() throws(ProviderError) {
    representatives = Array(objects.indices)
    let keys = objects.map { object in object.mapping.givenKey(of: object.values) }
    var known: [ObjectIdentifier: [Record.Key: Int]] = [:]
    for root in roots.reversed() {
      guard let key = keys[root] else { continue }
      let type = ObjectIdentifier(objects[root].mapping.type)
      if let last = known[type]?[key] {
        representatives[root] = last
      } else {
        known[type, default: [:]][key] = root
      }
    }
    for number in objects.indices where representatives[number] == number {
      guard let key = keys[number] else { continue }
      let type = ObjectIdentifier(objects[number].mapping.type)
      guard let first = known[type]?[key] else {
        known[type, default: [:]][key] = number
        continue
      }
      try merge(first, number, keys)
    }
    for number in objects.indices { representatives[number] = representative(of: number) }
  }

  private func representative(of number: Int) -> Int {
    var number = number
    while representatives[number] != number { number = representatives[number] }
    return number
  }

  /// Merges two objects, and all objects that they refer to.
  private mutating func merge(
    _ first: Int, _ second: Int, _ keys: [Record.Key?]
  ) throws(ProviderError) {
    // The owner has a known key, for the error: a new object has none.
    var pairs = [(first, second, owner: first)]
    while let (one, other, owner) = pairs.popLast() {
      let one = representative(of: one)
      let other = representative(of: other)
      if one == other { continue }
      if keys[one] == keys[other], objects[one].mapping === objects[other].mapping {
        if isUnmodified(other, keys) {
          representatives[other] = one
          continue
        }
        if isUnmodified(one, keys) {
          representatives[one] = other
          continue
        }
      }
      let (a, b) = (objects[one], objects[other])
      guard a.mapping === b.mapping, keys[one] == keys[other],
        // Two new instances are two rows.
        keys[one] != nil || !a.isInstance,
        a.values == b.values, a.references.map(\.column) == b.references.map(\.column),
        a.links.count == b.links.count
      else { throw conflict(owner, keys) }
      representatives[other] = one
      let next = keys[one] == nil ? owner : one
      for (child, copy) in zip(a.references, b.references) {
        pairs.append((child.object, copy.object, next))
      }
      for index in a.links.indices {
        guard let common = same(a.links[index], b.links[index], keys) else {
          throw conflict(next, keys)
        }
        for (element, copy) in common { pairs.append((element, copy, next)) }
        if b.links[index].isMoreComplete(than: a.links[index]) {
          objects[one].links[index] = b.links[index]
        }
      }
    }
  }

  /// Returns the pairs of elements in both lists; `nil` if the lists link different rows. One list
  /// can have loaded elements that the other has not, or be unchanged while the other was changed.
  private func same(_ a: Links, _ b: Links, _ keys: [Record.Key?]) -> [(Int, Int)]? {
    if a.wasChanged != b.wasChanged { return [] }
    if !a.wasChanged, a.isEmpty || b.isEmpty { return [] }
    if a.unloaded == b.unloaded {
      return a.objects.count == b.objects.count ? Array(zip(a.objects, b.objects)) : nil
    }
    var elements: [Record.Key: Int] = [:]
    for element in a.objects {
      guard let key = keys[element] else { return nil }
      elements[key] = element
    }
    var linked = Set(b.unloaded)
    var common: [(Int, Int)] = []
    for element in b.objects {
      guard let key = keys[element] else { return nil }
      linked.insert(key)
      if let same = elements[key] { common.append((same, element)) }
    }
    return linked == Set(elements.keys).union(a.unloaded) ? common : nil
  }

  /// Returns whether an object was loaded for a back reference and is unchanged, so that it can be
  /// ignored.
  private func isUnmodified(_ number: Int, _ keys: [Record.Key?]) -> Bool {
    let object = objects[number]
    guard let rowSnapshot = object.rowSnapshot else { return false }
    var values = object.values
    for reference in object.references {
      guard let key = keys[reference.object] else { return false }
      values[reference.column] = key.first
    }
    return values == rowSnapshot
  }

  private func conflict(_ number: Int, _ keys: [Record.Key?]) -> ProviderError {
    let mapping = objects[number].mapping
    let key = keys[number].map { " \($0)" } ?? ""
    return ProviderError(
      .conflictingCopies, "two different values with the key\(key) are saved together",
      table: mapping.table, column: mapping.keyColumn.name)
  }
}

extension ObjectGraph.Links {
  fileprivate func isMoreComplete(than other: Self) -> Bool {
    if wasChanged != other.wasChanged { return wasChanged }
    if isEmpty != other.isEmpty { return other.isEmpty }
    return unloaded.count < other.unloaded.count
  }
}
