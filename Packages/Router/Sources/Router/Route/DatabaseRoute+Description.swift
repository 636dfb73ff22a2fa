extension DatabaseRoute: CustomStringConvertible, CustomReflectable {
  /// The route in short: its names and operators, and no value.
  public var description: String {
    var words = ["\(method.rawValue) \(table)"]
    if !columns.isEmpty { words.append("(\(columns.map(\.description).joined(separator: ", ")))") }
    if !aggregates.isEmpty {
      words.append("make \(aggregates.map(\.description).joined(separator: ", "))")
    }
    if let names = values.first?.fields.map(\.column.description) {
      let count = values.count == 1 ? "" : " × \(values.count)"
      words.append("set \(names.joined(separator: ", "))\(count)")
    }
    if let filter { words.append("where \(filter)") }
    if let groupFilter { words.append("having \(groupFilter)") }
    if !orders.isEmpty {
      words.append("by \(orders.map(\.description).joined(separator: ", "))")
    }
    if page?.after != nil { words.append("after a row") }
    if let limit { words.append("limit \(limit)") }
    if let offset { words.append("offset \(offset)") }
    if !embeds.isEmpty { words.append("with \(embeds.map(\.name).joined(separator: ", "))") }
    if counting != .exact { words.append(counting.description) }
    if let id { words.append("[\(id)]") }
    return words.joined(separator: " ")
  }

  /// Shows the description alone, so that no value gets into a log.
  public var customMirror: Mirror { Mirror(self, children: ["route": description]) }
}

extension DatabaseRoute.Filter: CustomStringConvertible {
  /// The conditions, without their values; of a long list the first ones and the number of the
  /// others.
  public var description: String {
    switch form {
    case .all: "all"
    case .comparison(let comparison): comparison.description
    case .and(let filters): "(\(Self.list(filters, separator: " and ")))"
    case .or(let filters): "(\(Self.list(filters, separator: " or ")))"
    case .not(let filter): "not \(filter)"
    case .tooDeep: "nested too deep"
    }
  }

  private static func list(_ filters: [Self], separator: String) -> String {
    let most = 100
    var parts = filters.prefix(most).map(\.description)
    if filters.count > most { parts.append("\(filters.count - most) more") }
    return parts.joined(separator: separator)
  }
}

extension DatabaseRoute.Comparison: CustomStringConvertible {
  public var description: String {
    switch operand {
    case .none: "\(column) \(self.operator)"
    case .value: "\(column) \(self.operator) ?"
    case .list(let values): "\(column) \(self.operator) [\(values.count)]"
    case .any(let values): "\(column) \(self.operator) any [\(values.count)]"
    case .each(let values): "\(column) \(self.operator) each [\(values.count)]"
    }
  }
}

extension DatabaseRoute.Order: CustomStringConvertible {
  public var description: String { ascending ? "\(column)" : "\(column) descending" }
}
