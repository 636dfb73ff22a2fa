internal import Primitives
public import QueryModel
internal import SQLSyntax

/// The annotations and documentation in the comment above a query.
///
/// `nest: …` requests lists, which may be nested, `type: name AS Type` sets a result column's Swift
/// type, and `type: :name AS Type` sets a parameter's Swift type.
public struct QueryComment {
  public var documentation: String?
  public var lists: [NestedList] = []
  /// The column annotations, by lowercase column name.
  public var columnTypes: [String: ColumnAnnotation] = [:]
  public var parameterTypes: [String: ColumnAnnotation] = [:]
  /// The error messages for malformed annotations.
  public var problems: [String] = []

  /// - Parameter lines: The lines of the comment, without comment markers.
  public init(_ lines: [String]) {
    var rest: [String] = []
    for line in lines {
      if line.hasPrefix("nest:") {
        readList(line)
      } else if !readType(line), !Self.declaresChoices(line) {
        rest.append(line)
      }
    }
    if rest.contains(where: { !$0.isEmpty }) { documentation = rest.joined(separator: "\n") }
  }

  /// Reads `nest: column, column (column AS name) AS name`.
  private mutating func readList(_ line: String) {
    var reader = NestedListReader(line.dropFirst(5))
    if let list = reader.list() {
      lists.append(list)
    } else {
      problems.append(
        "malformed annotation `\(line)`: expected the columns of a list, optionally followed by the "
          + "lists of its elements in parentheses and by `AS name`")
    }
  }

  /// Reads `type: name AS Type`.
  ///
  /// - Returns: `true` if the line is a type annotation, valid or malformed.
  private mutating func readType(_ line: String) -> Bool {
    guard line.hasPrefix("type:") else { return false }
    let text = line.dropFirst(5)
    guard let range = text.firstRange(of: " AS ") else { return false }
    var name = String(text[..<range.lowerBound].drop { $0 == " " })
    while name.last == " " { name.removeLast() }
    guard let annotation = ColumnAnnotation(written: text[range.upperBound...]) else {
      problems.append(
        "malformed annotation `\(line)`: expected a Swift type after `AS`, optionally followed by "
          + "`USING` and a format")
      return true
    }
    if let first = name.first, ":@$?".contains(first) {
      parameterTypes[name.dropFirst().description.asciiLowercased] = annotation
    } else {
      if name.count > 1, name.hasPrefix("\""), name.hasSuffix("\"") {
        name = String(name.dropFirst().dropLast())
      }
      columnTypes[name.asciiLowercased] = annotation
    }
    return true
  }

  /// Returns whether the line is part of ``QueryAnnotations``, which the parser reads.
  private static func declaresChoices(_ line: String) -> Bool {
    ["order:", "filter:"].contains { keyword in
      line.hasPrefix(keyword)
        && line.dropFirst(keyword.count).first { $0 != " " }.map(":@$?".contains) == true
    }
  }

  /// Reports the annotated columns and parameters that the query doesn't have.
  public mutating func check(_ shape: ResultLayout, _ parameters: [ParameterDefinition]) {
    let columns: [String] =
      switch shape {
      case .columns(let columns): columns.map(\.name)
      case .fields(let fields):
        fields.compactMap { if case .column(let column) = $0 { column.name } else { nil } }
      case .none, .table: []
      }
    check(columnTypes.keys.sorted(), "result column outside `table.*`", among: columns)
    check(
      parameterTypes.keys.sorted(), "parameter",
      among: parameters.filter(\.isValue).map(\.name))
    for parameter in parameters where !parameter.columns.isEmpty {
      guard parameterTypes[parameter.name.asciiLowercased] != nil else { continue }
      problems.append(
        "invalid type annotation: `\(parameter.name)` consists of row values, whose type is "
          + "generated")
    }
  }

  private mutating func check(_ names: [String], _ kind: String, among known: [String]) {
    let folded = Set(known.map(\.asciiLowercased))
    for name in names where !folded.contains(name) {
      let nearest = EditDistance.nearest(to: name, among: known)
      problems.append(
        "invalid type annotation: the query has no \(kind) named `\(name)`"
          + (nearest.map { "; did you mean `\($0)`?" } ?? ""))
    }
  }
}

extension ParameterDefinition {
  /// Indicates whether the parameter is a value or a list, which has a type.
  fileprivate var isValue: Bool { orderChoices.isEmpty && filterColumns.isEmpty }
}
