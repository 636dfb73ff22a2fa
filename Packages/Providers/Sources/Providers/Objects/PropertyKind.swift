internal import SQLiteCore

/// What a property of some type is in a table.
enum PropertyKind {
  /// A column of a declared type, which holds the value itself.
  case column(String)
  /// A column of TEXT that holds a document of SPON.
  case document
  /// A column that holds the key of a row of another table.
  case table(any DataTable.Type)
  /// No column, but rows in a table of links.
  case links(any AnyCrossReference.Type)

  /// - Parameter type: The property's type; of an optional one, what is in it counts.
  init(_ type: Any.Type) {
    if let optional = type as? any OptionalType.Type {
      self.init(optional.wrapped)
    } else if let links = type as? any AnyCrossReference.Type {
      self = .links(links)
    } else if let table = type as? any DataTable.Type {
      self = .table(table)
    } else if let column = Self.declaredType(type) {
      self = .column(column)
    } else {
      self = .document
    }
  }

  /// The declared type of a column that holds values of a type as they are; `nil` where a document does.
  ///
  /// Affinities must leave every value as it is. The texts of dates are no numbers, so DATE, which is numeric,
  /// does; of a type that binds what it wants nothing is known, and its column has no type.
  private static func declaredType(_ type: Any.Type) -> String? {
    if type == Bool.self { return "BOOLEAN" }
    if type == String.self { return "TEXT" }
    if type == Double.self || type == Float.self { return "REAL" }
    if type == [UInt8].self { return "BLOB" }
    if let known = foundationType(type) { return known }
    let bindsItself = type is any SQLiteBindable.Type
    if bindsItself, type is any FixedWidthInteger.Type { return "INTEGER" }
    if let raw = type as? any RawRepresentable.Type {
      return rawType(raw) ?? (bindsItself ? "" : nil)
    }
    return bindsItself ? "" : nil
  }

  private static func rawType<Raw: RawRepresentable>(_ type: Raw.Type) -> String? {
    Raw.RawValue.self is any SQLiteBindable.Type ? declaredType(Raw.RawValue.self) : nil
  }
}

extension PropertyKind {
  /// Whether values are encoded and decoded as SQLiteCore does it.
  var isPlain: Bool { if case .column = self { true } else { false } }
}

private protocol OptionalType {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}
