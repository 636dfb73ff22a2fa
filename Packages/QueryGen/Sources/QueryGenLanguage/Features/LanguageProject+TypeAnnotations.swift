internal import Primitives
internal import QueryGenDriver
internal import QueryModel
internal import SQLSemantics
internal import SQLSyntax

/// Comments that specify the Swift type of a column or a parameter.
extension LanguageProject {
  /// Returns the annotations that are possible for the column definition or the parameter at an
  /// offset, if it has none.
  mutating func typeAnnotations(
    _ path: String, _ entry: FileTrace.Entry, at offset: ByteOffset, _ source: SourceText
  ) -> [CodeAction] {
    if let query = entry.query {
      guard let parameter = entry.trace.parameter(at: offset),
        let name = parameter.name, parameter.origins.isEmpty, parameter.columns.isEmpty
      else { return [] }
      return annotations(of: name, parameter.type, query, source)
    }
    let columns: [SQLSyntax.ColumnDefinition]
    switch entry.trace.statement {
    case .createTable(let node):
      guard case .definition(let definition) = node.body else { return [] }
      columns = definition.columns
    case .alterTable(let node):
      guard case .addColumn(let column) = node.action else { return [] }
      columns = [column]
    default: return []
    }
    guard
      let node = columns.first(where: { $0.span.start <= offset && offset <= $0.span.end }),
      case .column(let table, let name) = object(path, at: node.name.span.start)?.object,
      let column = compilation.project.tables.first(where: { $0.name.asciiLowercased == table })?
        .columns.first(where: { $0.name.asciiLowercased == name }),
      column.annotation == nil, column.allowed == nil
    else { return [] }
    let (place, isLineEnd) = source.endOfColumn(node.span.end)
    return column.type.annotatedTypes.map { type in
      CodeAction(
        title: "Declare `\(column.name)` as \(type)", kind: .rewrite,
        changes: [
          TextChange(
            replace: ByteSpan(place, place),
            with: isLineEnd ? " -- AS \(type)" : " /* AS \(type) */")
        ])
    }
  }

  private func annotations(
    of parameter: String, _ type: ValueType, _ query: NamedQuery, _ source: SourceText
  ) -> [CodeAction] {
    let annotation = "type: \(parameter) AS "
    guard !query.documentation.contains(where: { $0.hasPrefix(annotation) }) else { return [] }
    let start = query.span.start
    let line = source.bytes[..<start.value].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let isLineStart = source.bytes[line..<start.value].allSatisfy { $0 == 32 || $0 == 9 }
    return type.annotatedTypes.map { type in
      CodeAction(
        title: "Declare `\(parameter)` as \(type)", kind: .rewrite,
        changes: [
          TextChange(
            replace: ByteSpan(start, start),
            with: (isLineStart ? "" : "\n") + "-- \(annotation)\(type)\n")
        ])
    }
  }
}

extension SourceText {
  /// Returns the place after a column's definition for a comment, and whether the line ends there.
  fileprivate func endOfColumn(_ end: ByteOffset) -> (place: ByteOffset, isLineEnd: Bool) {
    let rest = bytes[end.value...].prefix { $0 != UInt8(ascii: "\n") }
    guard rest.endIndex < bytes.endIndex, rest.allSatisfy({ " \t\r,".utf8.contains($0) }) else {
      return (end, false)
    }
    let last = rest.lastIndex(of: UInt8(ascii: ",")).map { ByteOffset($0 + 1) }
    return (last ?? end, true)
  }
}

extension ValueType {
  /// The Swift types of Foundation and the standard library as which values are often declared.
  fileprivate var annotatedTypes: [String] {
    switch self {
    case .integer: ["Bool", "Date"]
    case .real: ["Date"]
    case .text: ["Date", "URL", "UUID"]
    case .blob: ["UUID"]
    case .numeric: ["Decimal"]
    case .boolean, .any, .swift: []
    }
  }
}
