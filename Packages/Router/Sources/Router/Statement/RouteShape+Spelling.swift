internal import SQLiteCore

/// The parts of a shape for dialects with case-sensitive names and typed values.
extension RouteShape {
  /// The names of the route as they are spelled, and the storage classes of compared values, in the order of the
  /// route's parts.
  var spelling: [String] {
    var names = [route.table.name, route.table.schema ?? ""]
    names += route.columns.map(\.name) + route.orders.map(\.column.name)
    names += record?.fields.map(\.column.name) ?? []
    names += route.conflict?.target.map(\.name) ?? []
    names += route.page?.after?.fields.map(\.column.name) ?? []
    for filter in [route.filter, check, route.groupFilter] { Self.add(filter, to: &names) }
    for aggregate in route.aggregates {
      names.append(aggregate.column?.name ?? "")
      Self.add(aggregate.filter, to: &names)
    }
    for embed in route.embeds { Self.add(embed, to: &names) }
    return names
  }

  private static func add(_ embed: DatabaseRoute.Embed, to names: inout [String]) {
    names.append(embed.table.name)
    names += embed.columns.map(\.name) + embed.orders.map(\.column.name)
    add(embed.filter, to: &names)
    for inner in embed.embeds { add(inner, to: &names) }
  }

  private static func add(_ filter: DatabaseRoute.Filter?, to names: inout [String]) {
    switch filter?.form {
    case nil, .all, .tooDeep: break
    case .not(let filter): add(filter, to: &names)
    case .and(let filters), .or(let filters): for filter in filters { add(filter, to: &names) }
    case .comparison(let comparison):
      names.append(comparison.column.name)
      switch comparison.operand {
      case .none, .list: break
      case .value(let value): names.append(value.storageClass)
      case .any(let values), .each(let values): names += values.map(\.storageClass)
      }
    }
  }
}

extension SQLiteValue {
  /// The name of the storage class. A whole number is an integer, however it is stored.
  fileprivate var storageClass: String {
    switch self {
    case .null: "null"
    case .integer: "integer"
    case .real(let number): Int64(exactly: number) == nil ? "real" : "integer"
    case .text: "text"
    case .blob: "blob"
    }
  }

  /// A fixed value with the same storage class.
  var representative: SQLiteValue {
    switch self {
    case .null: .null
    case .integer: .integer(0)
    case .real(let number): Int64(exactly: number) == nil ? .real(0.5) : .integer(0)
    case .text: .text("")
    case .blob: .blob([])
    }
  }
}
