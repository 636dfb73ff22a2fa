internal import SQLiteCore

/// Objects with all that they refer to, as what is to be written: made where the objects are, written elsewhere.
struct ObjectGraph: Sendable {
  struct Object: Sendable {
    let plan: TablePlan
    /// Whether it is an instance of a class, which is no other one's copy.
    let isInstance: Bool
    var values: [SQLiteValue] = []
    /// The columns that refer to other objects, and the numbers of these.
    var references: [(column: Int, object: Int)] = []
    var links: [Links] = []
    /// The row as it was loaded, where it was for a reference back to it.
    var outline: RowOutline?
  }

  struct Links: Sendable {
    /// The number of the list in its plan.
    let list: Int
    var objects: [Int]
    let unloaded: [Record.Key]
    /// Whether it is as it was loaded, or was never filled: then it says nothing beside a list that was changed.
    let wasChanged: Bool

    var isEmpty: Bool { objects.isEmpty && unloaded.isEmpty }
  }

  var objects: [Object] = []
  /// The numbers of those that are to be saved themselves, in their order.
  var roots: [Int] = []
  /// For each object the number of the one that is written: another one where the two are one row.
  var written: [Int] = []
}

/// Encodes objects, and those that they refer to. One object that several refer to is encoded once, where
/// it is of a class: so circles end.
final class ObjectGraphEncoder {
  private(set) var graph = ObjectGraph()
  /// The objects themselves, which must live as long as their addresses are known.
  private(set) var originals: [any DataTable] = []
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var bindings: [ObjectIdentifier: RowEncoder.Binding] = [:]
  /// What the object that is encoded now refers to.
  private var references: [(column: Int, object: Int)] = []
  private var links: [ObjectGraph.Links] = []
  private var outlines: [RowOutline] = []

  init<Root: DataTable>(_ roots: some Sequence<Root>) throws {
    for root in roots { graph.roots.append(try add(root, as: Root.self)) }
    var next = 0
    while next < graph.objects.count {
      try encode(next)
      next += 1
    }
    try graph.uniteCopies()
  }

  /// The number of an object, which is encoded later.
  private func add(_ object: some DataTable, as type: any DataTable.Type) throws -> Int {
    let number = graph.objects.count
    let isInstance = type is AnyClass
    if isInstance {
      let identity = ObjectIdentifier(object as AnyObject)
      if let known = numbers[identity] { return known }
      try TablePlan.refuseOther(object, than: type)
      numbers[identity] = number
    }
    graph.objects.append(
      ObjectGraph.Object(plan: try TablePlan.of(type), isInstance: isInstance))
    originals.append(object)
    return number
  }

  private func encode(_ number: Int) throws {
    let plan = graph.objects[number].plan
    references = []
    links = []
    outlines = []
    graph.objects[number].values = try values(of: originals[number], plan)
    graph.objects[number].references = references
    graph.objects[number].links = links
    // Of several lists, each must be as it was.
    graph.objects[number].outline = outlines.count == links.count ? outlines.first : nil
  }

  private func values(of object: some DataTable, _ plan: TablePlan) throws -> [SQLiteValue] {
    let identity = ObjectIdentifier(plan.type)
    if let binding = bindings[identity] { return try binding.values(of: object) }
    let binding = RowEncoder.Binding(columns: plan.columns.map(\.name)) {
      [unowned self] type, property in
      replacement(of: type, property, plan)
    }
    bindings[identity] = binding
    return try binding.values(of: object)
  }

  private func replacement(
    of type: any Encodable.Type, _ property: String, _ plan: TablePlan
  ) -> RowEncoder.Binding.Replacement? {
    switch PropertyKind(type) {
    case .column: return nil
    case .document: return Documents.text
    case .table(let child):
      guard let column = plan.columns.firstIndex(where: { $0.name == property }) else { return nil }
      return { [unowned self] value in
        guard let object = value as? any DataTable else { return .null }
        references.append((column, try add(object, as: child)))
        return .null
      }
    case .links:
      guard let list = plan.links.firstIndex(where: { $0.property == property }) else {
        return nil
      }
      return { [unowned self] value in
        try addLinks(value, list, plan)
        return nil
      }
    }
  }

  private func addLinks(_ value: any Encodable, _ list: Int, _ plan: TablePlan) throws {
    guard let value = value as? any AnyCrossReference else { return }
    let known = plan.links[list]
    guard value.definition == known.definition else {
      throw ProviderError(
        .schemaMismatch, "the table of links is another than that of init()'s value",
        table: plan.table, column: known.property)
    }
    var objects: [Int] = []
    for element in value.elements { objects.append(try add(element, as: known.child)) }
    if let outline = value.outline { outlines.append(outline) }
    links.append(
      ObjectGraph.Links(
        list: list, objects: objects, unloaded: value.unloaded, wasChanged: value.wasChanged))
  }
}

extension TablePlan {
  /// Refuses an instance of a subclass where its superclass is declared: its row would be one of the superclass's
  /// table, and what the subclass adds would be lost.
  static func refuseOther(
    _ object: some DataTable, than type: any DataTable.Type
  ) throws(ProviderError) {
    let actual = Swift.type(of: object as any DataTable)
    guard actual == type else {
      throw ProviderError(
        .schemaMismatch,
        "an instance of \(actual) is no row of the table of \(type), as which it is declared",
        table: type.tableName)
    }
  }
}

/// Values may be in a graph several times, as copies, or as two instances of one row: each row is written once.
extension ObjectGraph {
  private struct Row: Hashable {
    let type: ObjectIdentifier
    let key: Record.Key
  }

  /// Finds the objects that are one row, and has the first one written for all of them.
  ///
  /// Of those that are to be saved themselves, the last counts, as if they were saved one after another.
  ///
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/conflictingCopies`` where they differ.
  mutating func uniteCopies() throws(ProviderError) {
    written = Array(objects.indices)
    let keys = objects.map { object in object.plan.givenKey(of: object.values) }
    var known: [Row: Int] = [:]
    known.reserveCapacity(objects.count)
    for root in roots.reversed() {
      guard let key = keys[root] else { continue }
      let row = Row(type: ObjectIdentifier(objects[root].plan.type), key: key)
      if let last = known[row] { written[root] = last } else { known[row] = root }
    }
    for number in objects.indices where written[number] == number {
      guard let key = keys[number] else { continue }
      let row = Row(type: ObjectIdentifier(objects[number].plan.type), key: key)
      guard let first = known[row] else {
        known[row] = number
        continue
      }
      try unite(first, number, keys)
    }
    for number in objects.indices { written[number] = writtenNumber(of: number) }
  }

  private func writtenNumber(of number: Int) -> Int {
    var number = number
    while written[number] != number { number = written[number] }
    return number
  }

  /// Makes two objects one, with all that they have in them.
  private mutating func unite(
    _ first: Int, _ second: Int, _ keys: [Record.Key?]
  ) throws(ProviderError) {
    // With the object whose key is known, for the error: a new one has none.
    var pairs = [(first, second, owner: first)]
    while let (one, other, owner) = pairs.popLast() {
      let one = writtenNumber(of: one)
      let other = writtenNumber(of: other)
      if one == other { continue }
      if keys[one] == keys[other], objects[one].plan === objects[other].plan {
        if isAsLoaded(other, keys) {
          written[other] = one
          continue
        }
        if isAsLoaded(one, keys) {
          written[one] = other
          continue
        }
      }
      let (a, b) = (objects[one], objects[other])
      guard a.plan === b.plan, keys[one] == keys[other],
        // Two new instances are two rows.
        keys[one] != nil || !a.isInstance,
        a.values == b.values, a.references.map(\.column) == b.references.map(\.column),
        a.links.count == b.links.count
      else { throw conflict(owner, keys) }
      written[other] = one
      let next = keys[one] == nil ? owner : one
      for (child, copy) in zip(a.references, b.references) {
        pairs.append((child.object, copy.object, next))
      }
      for place in a.links.indices {
        guard let common = same(a.links[place], b.links[place], keys) else {
          throw conflict(next, keys)
        }
        for (element, copy) in common { pairs.append((element, copy, next)) }
        if b.links[place].saysMore(than: a.links[place]) {
          objects[one].links[place] = b.links[place]
        }
      }
    }
  }

  /// The elements that are in both of two lists; `nil` where the lists do not link the same rows. One may have
  /// loaded what the other has not, or be as it was before the other was changed.
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

  /// Whether an object was loaded for a reference back to its row, and is as it was: it says nothing of its own.
  private func isAsLoaded(_ number: Int, _ keys: [Record.Key?]) -> Bool {
    let object = objects[number]
    guard let outline = object.outline else { return false }
    var values = object.values
    for reference in object.references {
      guard let key = keys[reference.object] else { return false }
      values[reference.column] = key.first
    }
    return values == outline.values
  }

  private func conflict(_ number: Int, _ keys: [Record.Key?]) -> ProviderError {
    let plan = objects[number].plan
    let key = keys[number].map { " \($0)" } ?? ""
    return ProviderError(
      .conflictingCopies, "two values with the key\(key) are to be saved at once, and differ",
      table: plan.table, column: plan.keyColumn.name)
  }
}

extension ObjectGraph.Links {
  fileprivate func saysMore(than other: Self) -> Bool {
    if wasChanged != other.wasChanged { return wasChanged }
    if isEmpty != other.isEmpty { return other.isEmpty }
    return unloaded.count < other.unloaded.count
  }
}
