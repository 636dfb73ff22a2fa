/// A list of rows of another table, to which a row is linked: one to many, or many to many.
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
/// The links are rows of a table of their own, with the key of the owner (left), that of the other row (right) and
/// its place in the list. Saving the owner saves the elements too, and changes the links that differ: those of
/// elements that were removed are deleted, the elements' rows stay. Deleting either row deletes its links.
///
/// Loading the owner loads the elements, and theirs. Where that comes back to a row that is still being made,
/// it ends: the link is kept in ``unloadedCount`` and not in the list, and saving the list leaves
/// it as it is. An element may refer back to the owner by a property: that is the owner itself where it is an instance
/// of a class, and they hold each other then; where it is a value, it is the owner with its lists unloaded. Such a
/// copy that is as it was loaded yields to the owner when that is saved, and one that was changed is a
/// copy like any other. So does a list that is as it was loaded, or was never filled, where another copy of its owner
/// is saved with one that was changed.
///
/// An element that is in the list twice is linked once. Two types may have one table of links, each with the names of
/// its own side first; so may two lists of one type. Then each side has its own order, in the columns `position` and
/// `reversePosition`, and a link stays as long as one of the two rows has the other in its list. No other lists
/// can have one table.
public struct CrossReference<Element: DataTable> {
  /// The name of the table of links.
  public let name: String
  /// The column that holds the owner's key.
  public let leftKeyName: String
  /// The column that holds the key of the element.
  public let rightKeyName: String
  private var own: [Element]
  private var ownUnloaded: [Record.Key] = []
  /// What the list of an instance has until it is changed: it is made before its elements are, which may refer to
  /// the instance.
  private var loaded: LoadedElements<Element>?
  /// The row that the list was loaded with, where it was loaded for a reference back to it, and was not changed.
  private(set) var outline: RowOutline?

  /// Whether it is another list than was loaded, or than one that nobody filled.
  private(set) var wasChanged: Bool

  /// An empty list, or one of `storage`.
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

  /// The elements, in their order.
  public var storage: [Element] {
    get { loaded?.elements ?? own }
    _modify {
      takeLoaded()
      yield &own
    }
  }

  /// The keys of rows that are linked, and were not made because they were being made.
  var unloaded: [Record.Key] { loaded?.unloaded ?? ownUnloaded }

  /// How many linked rows are not in the list, since they lead back to the row that the list is of.
  public var unloadedCount: Int { unloaded.count }

  /// From here on, the list is another one than was loaded.
  private mutating func takeLoaded() {
    outline = nil
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
    takeLoaded()
    own = []
    ownUnloaded = []
  }

  /// Removes the elements that `isRemoved` tells; their rows stay.
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

/// As part of anything but a table's row, the list is encoded with its elements.
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
    outline = content.outline
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
