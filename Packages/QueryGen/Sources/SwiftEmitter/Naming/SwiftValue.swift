import QueryModel

/// A Swift type for SQL values, and its format if the type does not convert itself.
struct SwiftMapping: Hashable {
  /// The type of a value that is not NULL.
  var type: String
  /// A `ColumnFormat` of the runtime or of the author.
  var format: String?
  /// Indicates whether a value of the type can represent NULL.
  var holdsNull = false
}

extension SwiftMapping {
  /// Creates the mapping that an annotation in a comment specifies.
  init(_ annotation: ColumnAnnotation, storing type: ValueType) {
    switch annotation.format {
    case "JSON": self.init(TypeMapping(type: annotation.type, coding: .json), storing: type)
    case "RawValue": self.init(TypeMapping(type: annotation.type, coding: .rawValue), storing: type)
    case let format?: self.init(type: annotation.type, format: format)
    case nil: self.init(TypeMapping(type: annotation.type), storing: type)
    }
  }

  /// Creates the mapping that the configuration specifies.
  init(_ mapping: TypeMapping, storing stored: ValueType) {
    type = mapping.type
    holdsNull = mapping.holdsNull
    switch mapping.coding {
    case .value: format = SwiftMapping.defaultFormat(of: mapping.type, storing: stored)
    case .rawValue: format = "Queries.RawValueFormat<\(mapping.type)>"
    case .json: format = "Queries.JSONFormat<\(mapping.type)>"
    case .adapter(let adapter): format = adapter
    }
  }

  /// Returns the default format of a type that has several storage formats, or no SQLite
  /// conversion.
  private static func defaultFormat(of type: String, storing stored: ValueType) -> String? {
    if case .swift = stored { return nil }
    return switch (type, stored) {
    case ("Date", .integer): "ColumnFormats.UnixSeconds"
    case ("Date", .real): "ColumnFormats.JulianDay"
    case ("UUID", .blob): "ColumnFormats.UUIDBytes"
    case ("[UInt8]", _): nil
    case _ where type.hasPrefix("["): "Queries.JSONFormat<\(type)>"
    default: nil
    }
  }

  /// Indicates whether the type is declared by Foundation.
  var needsFoundation: Bool {
    type.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { word in
      ["Data", "Date", "Decimal", "URL", "UUID"].contains(word)
    }
  }
}

/// A value as a property, an argument or a result: its type, and the code that reads and binds it.
struct SwiftValue: Hashable {
  var mapping: SwiftMapping
  var isOptional: Bool

  /// The type of the value.
  var type: String { isOptional ? mapping.type + "?" : mapping.type }

  /// The type that the runtime reads and binds.
  var storedType: String {
    guard let format = mapping.format else { return type }
    return "Queries.Formatted<\(format)>" + (isOptional ? "?" : "")
  }

  /// Returns the code that reads the column at `index` of `row`.
  func read(at index: String) -> String {
    let read = "try row.read(\(storedType).self, at: \(index))"
    guard mapping.format != nil else { return read }
    return read + (isOptional ? "?.value" : ".value")
  }

  /// Returns the code that binds the value of `expression`.
  func bound(_ expression: String) -> String {
    guard let format = mapping.format else { return expression }
    return isOptional
      ? "\(expression).map(Queries.Formatted<\(format)>.init)"
      : "Queries.Formatted<\(format)>(\(expression))"
  }

  /// Returns the code that binds the list `expression`.
  func boundList(_ expression: String) -> String {
    mapping.format.map { "\(expression).map(Queries.Formatted<\($0)>.init)" } ?? expression
  }
}

extension ValueType {
  /// The Swift type of a value that is not NULL.
  var swiftName: String {
    switch self {
    case .integer: "Int"
    case .real, .numeric: "Double"
    case .text: "String"
    case .blob: "[UInt8]"
    case .boolean: "Bool"
    case .any: "SQLiteValue"
    case .swift(let type): type
    }
  }
}

extension SwiftValue {
  /// Creates a value of a mapped type.
  init(_ mapping: SwiftMapping, isNullable: Bool) {
    self.init(mapping: mapping, isOptional: isNullable && !mapping.holdsNull)
  }

  /// Creates a value without a mapped type. A `SQLiteValue` can represent NULL, so it is not
  /// optional.
  init(_ type: ValueType, isNullable: Bool) {
    self.init(mapping: SwiftMapping(type: type.swiftName), isOptional: isNullable && type != .any)
  }
}
