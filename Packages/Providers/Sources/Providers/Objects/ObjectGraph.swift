internal import SQLiteCore

/// Objects with all that they refer to, as what is to be written: made where the objects are, written elsewhere.
struct ObjectGraph: Sendable {
  struct Object: Sendable {
    let plan: TablePlan
    var values: [SQLiteValue] = []
    /// The columns that refer to other objects, and the numbers of these.
    var references: [(column: Int, object: Int)] = []
    var links: [Links] = []
  }

  struct Links: Sendable {
    /// The number of the list in its plan.
    let list: Int
    let objects: [Int]
    let unloaded: [RowKey]
  }

  var objects: [Object] = []
  /// The objects that are to be saved themselves: the first ones, in their order.
  var rootCount = 0
}

/// Encodes objects, and those that they refer to. One object that several refer to is encoded once, where
/// it is of a class: so circles end.
final class ObjectGraphEncoder {
  private(set) var graph = ObjectGraph()
  /// The objects themselves, which must live as long as their addresses are known.
  private(set) var originals: [any DataTable] = []
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var bindings: [ObjectIdentifier: RowBinding] = [:]
  /// What the object that is encoded now refers to.
  private var references: [(column: Int, object: Int)] = []
  private var links: [ObjectGraph.Links] = []

  init(_ roots: some Sequence<some DataTable>) throws {
    var places: [Int] = []
    for root in roots { places.append(try add(root, repeating: true)) }
    graph.rootCount = places.count
    var next = 0
    while next < graph.objects.count {
      try encode(next)
      next += 1
    }
  }

  /// The number of an object, which is encoded later.
  ///
  /// - Parameter repeating: Whether one that is there already gets another number.
  private func add<Object: DataTable>(_ object: Object, repeating: Bool = false) throws -> Int {
    let number = graph.objects.count
    if Object.self is AnyClass {
      let identity = ObjectIdentifier(object as AnyObject)
      if let known = numbers[identity], !repeating { return known }
      numbers[identity] = number
    }
    graph.objects.append(ObjectGraph.Object(plan: try TablePlan.of(Object.self)))
    originals.append(object)
    return number
  }

  private func encode(_ number: Int) throws {
    let plan = graph.objects[number].plan
    references = []
    links = []
    graph.objects[number].values = try values(of: originals[number], plan)
    graph.objects[number].references = references
    graph.objects[number].links = links
  }

  private func values(of object: some DataTable, _ plan: TablePlan) throws -> [SQLiteValue] {
    let identity = ObjectIdentifier(plan.type)
    if let binding = bindings[identity] { return try binding.values(of: object) }
    let binding = RowBinding(columns: plan.columns.map(\.name)) { [unowned self] type, property in
      replacement(of: type, property, plan)
    }
    bindings[identity] = binding
    return try binding.values(of: object)
  }

  private func replacement(
    of type: any Encodable.Type, _ property: String, _ plan: TablePlan
  ) -> RowBinding.Replacement? {
    switch PropertyKind(type) {
    case .column: return nil
    case .document: return Documents.text
    case .table:
      guard let column = plan.columns.firstIndex(where: { $0.name == property }) else { return nil }
      return { [unowned self] value in
        guard let child = value as? any DataTable else { return .null }
        references.append((column, try add(child)))
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
    for element in value.elements { objects.append(try add(element)) }
    links.append(ObjectGraph.Links(list: list, objects: objects, unloaded: value.unloaded))
  }
}
