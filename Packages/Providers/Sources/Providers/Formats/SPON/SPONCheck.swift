internal import SPON
internal import SQLiteCore

/// Converts a `CHECK` constraint from the tree of objects in which the original stores it to SQL.
///
/// All expressions with operands are parenthesized, because the tree defines their grouping.
struct SPONCheck {
  /// The column names; any other word is a string.
  let columns: Set<ExactText>

  /// Returns the SQL of a check; `nil` if there is no equivalent.
  func sql(_ check: SPONValue) -> String? {
    guard let object = check.object else { return nil }
    switch object.typeName {
    case "Literal": return literal(object["value"])
    case "Unary": return unary(object)
    case "Binary": return binary(object)
    case "Function": return function(object)
    case "Between":
      guard let value = operand(object["value"]), let low = operand(object["lowValue"]),
        let high = operand(object["highValue"])
      else { return nil }
      return "(\(value)\(not(object)) BETWEEN \(low) AND \(high))"
    case "In":
      guard let value = operand(object["value"]), let list = operands(object["list"]) else {
        return nil
      }
      return "(\(value)\(not(object)) IN (\(list.joined(separator: ", "))))"
    case "Case": return cases(object)
    default: return nil
    }
  }

  private func operand(_ value: SPONValue?) -> String? { value.flatMap { sql($0) } }

  private func operands(_ value: SPONValue?) -> [String]? {
    guard let elements = value?.array else { return nil }
    let results = elements.compactMap { sql($0) }
    return results.count == elements.count ? results : nil
  }

  private func not(_ object: SPONObject) -> String { object["negate"]?.bool == true ? " NOT" : "" }

  private func literal(_ value: SPONValue?) -> String? {
    switch value {
    case .string(let text), .opaque(let text):
      return columns.contains(text) ? SQLName.quoted(text) : SQLiteValue.text(text).description
    case .array, .object, nil: return nil
    case let value?: return SPONColumnType.none.stored(value).description
    }
  }

  private func unary(_ object: SPONObject) -> String? {
    guard let value = operand(object["value"]) else { return nil }
    switch object["operation"]?.string {
    case "positive": return "(+\(value))"
    case "negative": return "(-\(value))"
    case "not": return "(NOT \(value))"
    case "group": return "(\(value))"
    default: return nil
    }
  }

  private static let operators = [
    "addition": "+", "subtraction": "-", "multiplication": "*", "division": "/", "equalTo": "=",
    "notEqualTo": "<>", "lessThan": "<", "greaterThan": ">", "lessThanOrEqualTo": "<=",
    "greaterThanOrEqualTo": ">=", "and": "AND", "or": "OR", "like": "LIKE", "glob": "GLOB",
  ]

  private func binary(_ object: SPONObject) -> String? {
    guard let left = operand(object["leftValue"]),
      let operation = object["operation"]?.string
    else { return nil }
    let isNegated = object["negate"]?.bool == true
    if operation == "castTo" || operation == "collate" {
      // The operand is a name.
      guard let name = object["rightValue"]?.object?["value"]?.string, Self.isWord(name),
        !isNegated
      else { return nil }
      return operation == "castTo" ? "CAST(\(left) AS \(name))" : "(\(left) COLLATE \(name))"
    }
    guard let symbol = Self.operators[operation], let right = operand(object["rightValue"]) else {
      return nil
    }
    let comparison = "(\(left) \(symbol) \(right))"
    return isNegated ? "(NOT \(comparison))" : comparison
  }

  private static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 32
      && text.utf8.allSatisfy { 0x41...0x5A ~= $0 & 0xDF }
  }

  private static let functions: Set<String> = [
    "upper", "lower", "length", "trim", "ltrim", "rtrim", "abs", "instr", "round", "coalesce",
    "ifnull", "nullif", "substr", "replace",
  ]

  private func function(_ object: SPONObject) -> String? {
    guard var name = object["functionType"]?.string?.lowercased(),
      let parameters = operands(object["parameters"])
    else { return nil }
    if name.hasPrefix("@") { name.removeFirst() }
    if name == "check" { return parameters.count == 1 ? parameters[0] : nil }
    guard Self.functions.contains(name) else { return nil }
    return "\(name)(\(parameters.joined(separator: ", ")))"
  }

  private func cases(_ object: SPONObject) -> String? {
    guard let compared = operand(object["compareValue"]), let whens = object["toValues"]?.array,
      let last = operand(object["defaultValue"]), !whens.isEmpty
    else { return nil }
    var sql = "(CASE \(compared)"
    for when in whens {
      guard let object = when.object, object.typeName == "When",
        let value = operand(object["whenValue"]), let result = operand(object["thenValue"])
      else { return nil }
      sql += " WHEN \(value) THEN \(result)"
    }
    return sql + " ELSE \(last) END)"
  }
}
