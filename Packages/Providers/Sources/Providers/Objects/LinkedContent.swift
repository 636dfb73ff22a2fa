internal import SQLiteCore

/// A ``CrossReference`` of any elements.
protocol AnyCrossReference: SendableMetatype {
  static var elementType: any DataTable.Type { get }
  var definition: LinkDefinition { get }
  var elements: [any DataTable] { get }
  var unloaded: [RowKey] { get }
  var outline: RowOutline? { get }
  var wasChanged: Bool { get }

  /// The list of elements that were loaded: `nil` where one is of another type.
  init?(_ definition: LinkDefinition, _ content: LinkedContent)

  /// A list whose elements are not made yet, and what gives it them: `false` where one is of another type.
  static func pending(_ definition: LinkDefinition) -> (list: Any, fill: (LinkedContent) -> Bool)
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
  var unloaded: [RowKey] = []
  var outline: RowOutline?
}

/// The elements of a list that an instance was made with.
//
// Unchecked: both are set before the load ends that makes the list, by its thread, and never again.
final class LoadedElements<Element: DataTable> {
  var elements: [Element] = []
  var unloaded: [RowKey] = []
}

extension LoadedElements: @unchecked Sendable where Element: Sendable {}

/// A row as it was loaded, in the order of its plan's columns.
final class RowOutline: Sendable {
  let values: [SQLiteValue]

  init(_ values: [SQLiteValue]) { self.values = values }
}
