internal import SQLiteCore

/// A ``CrossReference`` of any elements.
protocol AnyCrossReference: SendableMetatype {
  static var elementType: any DataTable.Type { get }
  var definition: LinkDefinition { get }
  var elements: [any DataTable] { get }
  var unloaded: [Record.Key] { get }
  var outline: RowOutline? { get }
  var wasChanged: Bool { get }

  /// The list of elements that were loaded: `nil` where one is of another type.
  init?(_ definition: LinkDefinition, _ content: LinkedContent)

  /// A list whose elements are not made yet.
  static func pending(_ definition: LinkDefinition) -> (list: Any, elements: any PendingElements)
}

/// What a table of links is made of.
struct LinkDefinition: Hashable, Sendable {
  let name: String
  let left: String
  let right: String
}

/// What a list of links is to have.
struct LinkedContent {
  var elements: [Any] = []
  var unloaded: [Record.Key] = []
  var outline: RowOutline?
}

/// The elements of a list that an instance was made with, before they were.
protocol PendingElements: AnyObject {
  /// Whether someone has asked for them too early: the type's own `init(from:)`.
  var wereMissed: Bool { get }
  /// - Returns: `false` where one is of another type.
  func fill(_ content: LinkedContent) -> Bool
}

/// The elements of a list of one type, which an instance was made with.
//
// Unchecked: all is set before the load ends that makes the list, by its thread, and never again.
final class LoadedElements<Element: DataTable>: PendingElements {
  private var filled: (elements: [Element], unloaded: [Record.Key])?
  private(set) var wereMissed = false

  var elements: [Element] { filled?.elements ?? missed([]) }
  var unloaded: [Record.Key] { filled?.unloaded ?? missed([]) }

  private func missed<Value>(_ value: Value) -> Value {
    wereMissed = true
    return value
  }

  func fill(_ content: LinkedContent) -> Bool {
    guard let elements = CrossReference<Element>.typed(content.elements) else { return false }
    filled = (elements, content.unloaded)
    return true
  }
}

extension LoadedElements: @unchecked Sendable where Element: Sendable {}

/// A row as it was loaded, in the order of its plan's columns.
final class RowOutline: Sendable {
  let values: [SQLiteValue]

  init(_ values: [SQLiteValue]) { self.values = values }
}
