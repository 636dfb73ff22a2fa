import QueryModel

extension SwiftEmitter {
  /// Generates the region that the results for all inputs depend on.
  func region(_ reads: [TableAccess], _ shape: QuerySignature, _ writer: inout SwiftWriter) {
    let known = reads.map { access in
      var access = access
      if access.rows?.hasParameter == true { access.rows = nil }
      return access
    }
    write("\(access)static let region = ", known, shape, &writer)
  }

  /// Generates the region that the result for one input depends on, if the input restricts the
  /// rows.
  func regionForInput(_ reads: [TableAccess], _ shape: QuerySignature, _ writer: inout SwiftWriter)
  {
    guard reads.contains(where: { $0.rows?.hasParameter == true }) else { return }
    writer.block("\(access)func region(for input: Input) -> Region") { writer in
      write("", reads, shape, &writer)
    }
    writer.line()
  }

  private func write(
    _ head: String, _ reads: [TableAccess], _ shape: QuerySignature, _ writer: inout SwiftWriter
  ) {
    let sorted = reads.sorted { ($0.schema ?? "", $0.table) < ($1.schema ?? "", $1.table) }
    let whole = sorted.filter { $0.rows == nil }
    var parts: [(head: String, items: [[String]], tail: String, isConditional: Bool)] = []
    if !whole.isEmpty || sorted.isEmpty {
      let items = whole.map { "\(table($0)): [\(columns($0))]" }
      parts.append(("Region(reading: [", (items.isEmpty ? [":"] : items).map { [$0] }, "])", false))
    }
    for access in sorted {
      guard let rows = access.rows else { continue }
      var conditions = conjuncts(rows, shape)
      let isConditional = rows.isConditional
      if !isConditional { conditions[0] = "where: " + conditions[0] }
      let items = [
        ["of: \(table(access))"], conditions,
        ["reading: \(access.columns.isEmpty ? ".all" : "[\(columns(access))]")"],
      ]
      parts.append((parts.isEmpty ? "Region.rows(" : ".rows(", items, ")", isConditional))
    }
    for (place, part) in parts.enumerated() {
      let write = part.isConditional ? writeConditional : self.write
      if place == 0 {
        write(head + part.head, part.items, part.tail, &writer)
      } else {
        writer.indented { write(".union(" + part.head, part.items, part.tail + ")", &$0) }
      }
    }
  }

  /// Adds a call, with each condition on a separate line if they do not fit on one.
  private func write(
    _ head: String, _ items: [[String]], _ tail: String, _ writer: inout SwiftWriter
  ) {
    let whole = items.map { $0.joined(separator: " && ") }
    // Room for two more levels, a comma, and the end.
    guard items.contains(where: { $0.count > 1 }),
      whole.contains(where: { !writer.fits($0 + "      ") })
    else {
      writer.call(head, whole, tail)
      return
    }
    writer.line(head)
    writer.indented { writer in
      for (place, item) in items.enumerated() {
        let end = place + 1 == items.count ? tail : ","
        writer.line(item[0] + (item.count == 1 ? end : ""))
        writer.indented { writer in
          for (number, part) in item.enumerated().dropFirst() {
            writer.line("&& \(part)" + (number + 1 == item.count ? end : ""))
          }
        }
      }
    }
  }

  /// Adds a call with an array of conditions, of which those that do not apply are `nil`.
  private func writeConditional(
    _ head: String, _ items: [[String]], _ tail: String, _ writer: inout SwiftWriter
  ) {
    writer.line(head)
    writer.indented { writer in
      writer.line(items[0][0] + ",")
      writer.line("whereAll: [")
      writer.indented { writer in for condition in items[1] { writer.line(condition + ",") } }
      writer.line("], \(items[2][0])\(tail)")
    }
  }

  private func conjuncts(_ condition: RowCondition, _ shape: QuerySignature) -> [String] {
    guard case .all(let parts) = condition else { return [self.condition(condition, shape)] }
    return parts.flatMap { conjuncts($0, shape) }
  }

  private func table(_ access: TableAccess) -> String {
    let name = StringLiteral.singleLine(access.table)
    guard let schema = access.schema else { return name }
    return "TableName(schema: \(StringLiteral.singleLine(schema)), \(name))"
  }

  private func columns(_ access: TableAccess) -> String {
    access.columns.sorted().map(StringLiteral.singleLine).joined(separator: ", ")
  }

  private func condition(_ condition: RowCondition, _ shape: QuerySignature) -> String {
    switch condition {
    case .comparison(let column, let comparison, let value):
      let name = StringLiteral.singleLine(column)
      if value.isParameter {
        return ".column(\(name), .\(comparison), bound: \(self.value(value, shape)))"
      }
      return ".column(\(name), .\(comparison), \(self.value(value, shape)))"
    case .isIn(let column, let values):
      let name = StringLiteral.singleLine(column)
      guard values.contains(where: \.isParameter) else {
        let list = values.map { value($0, shape) }.joined(separator: ", ")
        return ".column(\(name), in: [\(list)])"
      }
      let list = values.map { item in
        (item.isParameter ? "" : "SQLiteValue") + value(item, shape)
      }
      return ".column(\(name), inBound: \(list.joined(separator: ", ")))"
    case .isInList(let column, let parameter):
      let list = value(.parameter(parameter), shape)
      let isConditional = shape.parameters.contains { $0.index == parameter && $0.isConditional }
      let name = StringLiteral.singleLine(column)
      return ".column(\(name), inList: \(isConditional ? "\(list) ?? []" : list))"
    case .isNull(let column): return ".isNull(\(StringLiteral.singleLine(column)))"
    case .isNotNull(let column): return ".isNotNull(\(StringLiteral.singleLine(column)))"
    case .ifPresent(let numbers, let inner):
      let tests = numbers.compactMap { number in
        shape.parameters.first { $0.index == number }.map { input($0, shape) + " != nil" }
      }
      return "\(tests.joined(separator: " && ")) ? \(self.condition(inner, shape)) : nil"
    case .all: return "(\(conjuncts(condition, shape).joined(separator: " && ")))"
    case .any(let parts):
      return "(\(parts.map { self.condition($0, shape) }.joined(separator: " || ")))"
    }
  }

  private func value(_ value: RowCondition.Value, _ shape: QuerySignature) -> String {
    switch value {
    case .parameter(let index):
      shape.parametersByNumber[index].map { self.value($0, shape) }
        ?? "SQLiteValue.null"
    case .integer(let value): ".integer(\(value))"
    case .real(let value):
      value.isFinite ? ".real(\(value))" : ".real(\(value < 0 ? "-" : "").infinity)"
    case .text(let value): ".text(\(StringLiteral.singleLine(value)))"
    case .blob(let value): ".blob(\(value))"
    }
  }
}

extension RowCondition {
  /// Indicates whether a part of the condition does not always apply.
  fileprivate var isConditional: Bool {
    switch self {
    case .ifPresent: true
    case .all(let parts): parts.contains(where: \.isConditional)
    default: false
    }
  }
}
