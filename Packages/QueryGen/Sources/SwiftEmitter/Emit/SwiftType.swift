import QueryModel

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
    }
  }

  /// The Swift type of a value that may be NULL: a `SQLiteValue` can be that itself.
  func swiftName(isNullable: Bool) -> String {
    isNullable && self != .any ? swiftName + "?" : swiftName
  }
}

/// A property of a generated struct, or a parameter.
struct Field: Hashable {
  /// Unescaped.
  var name: String
  var type: String
  var documentation: String?

  /// As it is declared, and as a variable is named. After a point it stands as it is.
  var escaped: String { SwiftKeywords.escaped(name) }

  /// As the label of an argument.
  var label: String { SwiftKeywords.escapedLabel(name) }

  static func fields(of columns: [ColumnDefinition]) -> [Field] {
    let names = UniqueNames.members(for: columns.map(\.name), fallback: "column")
    return zip(names, columns).map { name, column in
      Field(
        name: name, type: column.type.swiftName(isNullable: column.isNullable),
        documentation: column.documentation)
    }
  }

  static func fields(of parameters: [ParameterDefinition]) -> [Field] {
    let names = UniqueNames.members(for: parameters.map(\.name), fallback: "value")
    return zip(names, parameters).map { name, parameter in
      let type = parameter.type.swiftName(isNullable: parameter.isNullable)
      return Field(name: name, type: parameter.isList ? "[\(type)]" : type)
    }
  }
}
