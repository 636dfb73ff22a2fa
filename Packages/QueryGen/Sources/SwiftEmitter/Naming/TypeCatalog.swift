internal import Primitives
import QueryModel

/// The Swift types of the schema's columns, and the enums that are generated for them.
struct TypeCatalog {
  /// An enum of the values that a column's `CHECK` constraint allows.
  struct Enumeration: Hashable {
    enum Value: Hashable {
      case text(String)
      case integer(Int64)
    }

    var type: String
    var column: TableColumn
    var cases: [(name: String, value: Value)]

    static func == (a: Self, b: Self) -> Bool { a.column == b.column }
    func hash(into hasher: inout Hasher) { hasher.combine(column) }
  }

  private var mappings: [TableColumn: SwiftMapping] = [:]
  /// The enums, by table name.
  private(set) var enumerations: [String: [Enumeration]] = [:]
  /// The names of the Swift types of declared types, by type name.
  private(set) var declaredTypes: [String: String] = [:]

  /// - Parameters:
  ///   - tables: The tables, in the order in which their enums are named.
  ///   - declarations: The declared functions and modules.
  ///   - tableTypes: The names of the tables' structs.
  ///   - names: The names of types that are already in use.
  init(
    _ tables: [TableDefinition], _ declarations: Declarations, tableTypes: [String: String],
    options: GenerationOptions,
    names: inout UniqueNames
  ) {
    // Most columns have one of a few types.
    var known: [String: TypeMapping?] = [:]
    func declaredMapping(_ type: String) -> TypeMapping? {
      if let mapping = known[type] { return mapping }
      let mapping = options.mapping(ofDeclaredType: type)
      known[type] = .some(mapping)
      return mapping
    }
    for table in tables {
      let chosen = options.tables[table.name.asciiLowercased]?.columns ?? [:]
      for column in table.columns {
        let key = TableColumn(table: table.name, column: column.name)
        if let mapping = chosen[column.name.asciiLowercased]?.mapping {
          mappings[key] = SwiftMapping(mapping, storing: column.type)
        } else if let annotation = column.annotation {
          mappings[key] = SwiftMapping(annotation, storing: column.type)
        } else if let mapping = column.declaredType.flatMap(declaredMapping) {
          mappings[key] = SwiftMapping(mapping, storing: column.type)
        } else if let allowed = column.allowed, allowed.isNamed {
          let type = names.take(
            (tableTypes[table.name] ?? "") + IdentifierWords(column.name).upperCamel)
          mappings[key] = SwiftMapping(type: type)
          enumerations[table.name, default: []].append(
            Enumeration(type: type, column: key, allowed: allowed))
        }
      }
    }
    for (key, column) in declarations.values {
      if let annotation = column.annotation {
        mappings[key] = SwiftMapping(annotation, storing: column.type)
      } else if let mapping = column.declaredType.flatMap(options.mapping(ofDeclaredType:)) {
        mappings[key] = SwiftMapping(mapping, storing: column.type)
      }
    }
    // Views are resolved last, since their columns originate in tables.
    for table in tables where table.kind == .view {
      for column in table.columns {
        let key = TableColumn(table: table.name, column: column.name)
        if mappings[key] == nil { mappings[key] = mapping(of: column.origins) }
      }
    }
  }

  /// Names the Swift types of declared types.
  mutating func name(_ definitions: [TypeDefinition], names: inout UniqueNames) {
    for definition in definitions {
      let words = IdentifierWords(definition.name).upperCamel
      let usable = words.contains(where: \.isLetter) ? words : "Type" + words
      declaredTypes[definition.name] = names.take(usable, usable + "Type")
    }
  }

  /// Returns the type with the Swift names of declared types.
  private func resolved(_ type: ValueType) -> ValueType {
    guard case .swift(var text) = type, text.contains("{") else { return type }
    for (name, swiftName) in declaredTypes {
      text = text.replacing("{\(name)}", with: swiftName)
    }
    return .swift(text)
  }

  /// Returns the Swift value of a table's column.
  func value(of column: ColumnDefinition, in table: TableDefinition) -> SwiftValue {
    let mapping = mappings[TableColumn(table: table.name, column: column.name)]
    return mapping.map { SwiftValue($0, isNullable: column.isNullable) }
      ?? SwiftValue(resolved(column.type), isNullable: column.isNullable)
  }

  /// Returns the Swift value of a result column or a parameter.
  ///
  /// - Parameter chosen: The type that the configuration or the query's comment specifies.
  func value(
    _ type: ValueType, isNullable: Bool, from origins: [TableColumn], chosen: SwiftMapping?
  ) -> SwiftValue {
    let mapping = chosen ?? mapping(of: origins)
    return mapping.map { SwiftValue($0, isNullable: isNullable) }
      ?? SwiftValue(resolved(type), isNullable: isNullable)
  }

  /// Returns the common mapping of several columns; `nil` if they differ.
  private func mapping(of origins: [TableColumn]) -> SwiftMapping? {
    guard let first = origins.first, let mapping = mappings[first] else { return nil }
    return origins.allSatisfy { mappings[$0] == mapping } ? mapping : nil
  }
}

extension Declarations {
  /// The parameters and results of functions, and the columns of eponymous modules' tables.
  fileprivate var values: [(TableColumn, ColumnDefinition)] {
    functions.flatMap { function in
      (function.parameters.map(\.column) + [function.result]).flatMap { column in
        column.origins.map { ($0, column) }
      }
    }
      + modules.flatMap { module in
        module.columns.map {
          (TableColumn(table: module.name, column: $0.column.name), $0.column)
        }
      }
  }
}

extension TypeCatalog.Enumeration {
  init(type: String, column: TableColumn, allowed: AllowedValues) {
    let members = SwiftKeywords.reservedMembers.union(["allCases", "rawValue"])
    var unique = UniqueNames()
    let values: [Value] =
      switch allowed.values {
      case .texts(let texts): texts.map { .text($0) }
      case .integers(let integers): integers.map { .integer($0) }
      }
    let cases = values.enumerated().map { place, value in
      var name = IdentifierWords(allowed.names.isEmpty ? value.text : allowed.names[place])
        .lowerCamel
      if name.isEmpty { name = value.text.isEmpty ? "empty" : "value\(place + 1)" }
      if members.contains(name) { name += "_" }
      return (name: unique.take(name), value: value)
    }
    self.init(type: type, column: column, cases: cases)
  }
}

extension TypeCatalog.Enumeration.Value {
  /// The value as a text from which a name is derived.
  fileprivate var text: String {
    switch self {
    case .text(let text): text
    case .integer(let integer): "\(integer)"
    }
  }
}

extension AllowedValues {
  /// Indicates whether the cases have names. A text is itself a name.
  fileprivate var isNamed: Bool {
    if case .integers = values { names.count == count } else { count > 0 }
  }
}

extension GenerationOptions {
  /// Returns the mapping of a declared type; `nil` if it has none.
  fileprivate func mapping(ofDeclaredType type: String) -> TypeMapping? {
    let key = type.split(whereSeparator: \.isWhitespace).joined(separator: " ").uppercased()
    return types[key] ?? (hasDefaultTypes ? TypeMapping(declaredType: type) : nil)
  }
}

/// Assigns unique names.
///
/// Names that differ only by case are different, as in Swift.
struct UniqueNames {
  private var taken: Set<String>

  init(taken: Set<String> = []) { self.taken = taken }

  /// Returns the first of `candidates` that is unused; if there is none, the last one with a number
  /// from 2.
  mutating func take(_ candidates: String...) -> String {
    for candidate in candidates where taken.insert(candidate).inserted { return candidate }
    let base = candidates.last ?? ""
    // At least one of these numbers is free, since there are more of them than names in use.
    for number in 2...(taken.count + 2) where taken.insert(base + String(number)).inserted {
      return base + String(number)
    }
    return base
  }
}

extension UniqueNames {
  /// Returns the unescaped property names of one struct, derived from SQL names.
  ///
  /// The second of two equal names gets the number 2. A name without a letter becomes `column3`,
  /// after its position. A configured name is used unchanged.
  static func members(
    for names: [String], fallback: String, chosen: [String?] = []
  ) -> [String] {
    var unique = UniqueNames()
    return names.enumerated().map { place, name in
      if place < chosen.count, let name = chosen[place] { return unique.take(name) }
      var member = IdentifierWords(name).lowerCamel
      if member.isEmpty || member.allSatisfy({ $0 == "_" || $0.isNumber }) {
        member = fallback + String(place + 1)
      }
      if SwiftKeywords.reservedMembers.contains(member) { member += "_" }
      return unique.take(member)
    }
  }
}
