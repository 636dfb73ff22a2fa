internal import QueryModel

/// The Swift types of PostgreSQL's types.
extension PostgreSQLDescription.ValueType {
  /// The type of a value that is not NULL. The name of a type that the migrations create is in braces.
  ///
  /// - Parameter declared: The names of the types for which Swift types are generated.
  func swiftType(_ declared: Set<String>) -> QueryModel.ValueType {
    let element =
      if oid == nil, declared.contains(name) {
        "{\(name)}"
      } else if let bound {
        "PostgreSQLRange<\(Self.swiftNames[bound] ?? "PostgreSQLValue")>"
      } else {
        Self.swiftNames[name] ?? "PostgreSQLValue"
      }
    guard isArray == true else { return .swift(element) }
    // A `PostgreSQLValue` can be NULL.
    let isOptional = hasElements != true && element != "PostgreSQLValue"
    return .swift("[\(element)\(isOptional ? "?" : "")]")
  }

  private static let swiftNames: [String: String] = [
    "bool": "Bool", "bpchar": "String", "bytea": "[UInt8]", "char": "String", "citext": "String",
    "date": "PostgreSQLDate", "float4": "Float", "float8": "Double", "int2": "Int", "int4": "Int",
    "int8": "Int", "interval": "PostgreSQLInterval", "json": "JSONDocument",
    "jsonb": "JSONDocument", "name": "String", "numeric": "Decimal", "oid": "UInt32",
    "text": "String", "time": "PostgreSQLTime", "timestamp": "Date", "timestamptz": "Date",
    "uuid": "UUID", "varchar": "String", "xml": "String",
  ]
}
