internal import SQLiteCore

/// A list of another table's rows that are linked to a row: one-to-many or many-to-many.
///
/// ```swift
/// class Group: DataTable {
///   static let tableName = "Groups"
///   static let primaryKeyType = DataTableKeyType.autoUUIDString
///   var id = ""
///   var name = ""
///   var people = CrossReference<Person>(
///     name: "PeopleInGroup", leftKeyName: "groupID", rightKeyName: "personID")
///   required init() {}
/// }
/// ```
///
/// The links are rows of a separate table, with the owner's key (left), the other row's key (right)
/// and the position in the list. Saving the owner also saves the elements, and updates the links
/// that differ: links of removed elements are deleted, the elements' rows are kept. Deleting either
/// row deletes its links.
///
/// Loading the owner loads the elements, recursively. Loading stops at a row that is still being
/// loaded: the link is counted in ``unloadedCount`` but not in the list, and saving the list
/// preserves the link. An element can refer to the owner with a property: the reference is the
/// owner itself if the owner is an instance of a class, which creates a retain cycle; if the owner
/// is a value, it is a copy of the owner with unloaded lists. When the owner is saved, an unchanged
/// copy of this kind is ignored, and a changed one is treated like any other copy. A list that is
/// unchanged since loading, or was never filled, is also ignored if another copy of its owner is
/// saved with a changed list.
///
/// A duplicate element in the list is linked once. Two types can share one table of links, each
/// declaring its side's key names first, as can two lists of one type. Each side then has its own
/// order, in the columns `position` and `reversePosition`, and a link exists as long as either row
/// has the other in its list. No other lists can share a table.
public struct CrossReference<Element: DataTable> {
  /// The name of the table of links.
  public let name: String
  /// The column that holds the owner's key.
  public let leftKeyName: String
  /// The column that holds the element's key.
  public let rightKeyName: String
  private var own: [Element]
  private var ownUnloaded: [Record.Key] = []
  /// The loaded elements of an instance's list, until the list is changed. The list is created
  /// before its elements, which can refer to the instance.
  private var loaded: LoadedElements<Element>?
  /// The values of the owner's row, if the list was loaded for a back reference and is unchanged.
  private(set) var rowSnapshot: [SQLiteValue]?

  /// A Boolean value that indicates whether the list was changed since it was loaded, or was
  /// filled.
  private(set) var wasChanged: Bool

  /// Creates an empty list, or a list with the elements of `storage`.
  public init(
    name: String, leftKeyName: String = "leftID", rightKeyName: String = "rightID",
    storage: [Element] = []
  ) {
    self.name = name
    self.leftKeyName = leftKeyName
    self.rightKeyName = rightKeyName
    own = storage
    wasChanged = !storage.isEmpty
  }

  /// The elements, in order.
  public var storage: [Element] {
    get { loaded?.elements ?? own }
    _modify {
      detachFromLoadedElements()
      yield &own
    }
  }

  /// The keys of linked rows that were not loaded because they were being loaded already.
  var unloaded: [Record.Key] { loaded?.unloaded ?? ownUnloaded }

  /// The number of linked rows that are not in the list, because they lead back to the list's
  /// owner.
  public var unloadedCount: Int { unloaded.count }

  /// Detaches the list from its loaded elements and marks it as changed.
  private mutating func detachFromLoadedElements() {
    rowSnapshot = nil
    wasChanged = true
    guard let loaded else { return }
    own = loaded.elements
    ownUnloaded = loaded.unloaded
    self.loaded = nil
  }

  /// Adds an element at the end.
  public mutating func append(_ element: Element) { storage.append(element) }

  /// Adds elements at the end.
  public mutating func append(contentsOf elements: some Sequence<Element>) {
    storage.append(contentsOf: elements)
  }

  /// Adds an element before the one at `position`.
  public mutating func insert(_ element: Element, at position: Int) {
    storage.insert(element, at: position)
  }

  /// Removes an element from the list; its row stays.
  @discardableResult
  public mutating func remove(at position: Int) -> Element { storage.remove(at: position) }

  /// Removes all elements from the list, and all links; their rows stay.
  public mutating func removeAll() {
    detachFromLoadedElements()
    own = []
    ownUnloaded = []
  }

  /// Removes the elements that satisfy `isRemoved`; their rows stay.
  public mutating func removeAll(where isRemoved: (Element) throws -> Bool) rethrows {
    try storage.removeAll(where: isRemoved)
  }
}

extension CrossReference: Sendable where Element: Sendable {}

extension CrossReference: Equatable where Element: Equatable {
  public static func == (a: CrossReference, b: CrossReference) -> Bool {
    a.definition == b.definition && a.storage == b.storage && a.unloaded == b.unloaded
  }
}

extension CrossReference: Hashable where Element: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(definition)
    hasher.combine(storage)
    hasher.combine(unloaded)
  }
}

extension CrossReference: RandomAccessCollection, MutableCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { storage.count }
  public subscript(position: Int) -> Element {
    get { storage[position] }
    set { storage[position] = newValue }
  }
}

/// Outside a table's row, the list is encoded with its elements.
extension CrossReference: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, leftKeyName, rightKeyName, storage
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try container.decode(String.self, forKey: .name),
      leftKeyName: try container.decode(String.self, forKey: .leftKeyName),
      rightKeyName: try container.decode(String.self, forKey: .rightKeyName),
      storage: try container.decode([Element].self, forKey: .storage))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(leftKeyName, forKey: .leftKeyName)
    try container.encode(rightKeyName, forKey: .rightKeyName)
    try container.encode(storage, forKey: .storage)
  }
}

extension CrossReference: AnyCrossReference {
  static var elementType: any DataTable.Type { Element.self }

  var definition: LinkDefinition {
    LinkDefinition(name: name, left: leftKeyName, right: rightKeyName)
  }

  var elements: [any DataTable] { storage }

  init?(_ definition: LinkDefinition, _ content: LinkedContent) {
    guard let storage = Self.typed(content.elements) else { return nil }
    self.init(
      name: definition.name, leftKeyName: definition.left, rightKeyName: definition.right,
      storage: storage)
    ownUnloaded = content.unloaded
    rowSnapshot = content.rowSnapshot
    wasChanged = false
  }

  static func pending(_ definition: LinkDefinition) -> (list: Any, elements: any PendingElements) {
    var list = Self(
      name: definition.name, leftKeyName: definition.left, rightKeyName: definition.right)
    let elements = LoadedElements<Element>()
    list.loaded = elements
    return (list, elements)
  }

  static func typed(_ elements: [Any]) -> [Element]? {
    var typed: [Element] = []
    for element in elements {
      guard let element = element as? Element else { return nil }
      typed.append(element)
    }
    return typed
  }
}
