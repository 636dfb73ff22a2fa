internal import SQLiteCore

/// The parts of a route that determine its SQL text: everything except its values.
///
/// Every property of a value that affects the text must be compared here: whether it is NULL, if that matters, and the
/// number of values that have separate parameters.
struct RouteShape: Hashable {
  var route: DatabaseRoute
  /// The row to write.
  var record: DatabaseRoute.Record?
  /// The filter that a written row must satisfy.
  var check: DatabaseRoute.Filter?
  /// Indicates whether there are further rows to write, with the same columns.
  var isMany = false
  /// Indicates whether the spelling of names, and the storage classes of compared values, are parts of the shape.
  var distinguishesSpelling = false

  static func == (a: RouteShape, b: RouteShape) -> Bool {
    let (x, y) = (a.route.storage, b.route.storage)
    guard x.parts.method == y.parts.method, x.parts.table == y.parts.table,
      sameShape(x.parts.filter, y.parts.filter), x.parts.returning == y.parts.returning,
      (x.parts.limit == nil) == (y.parts.limit == nil), sameShape(a.check, b.check),
      sameShape(a.record, b.record), a.isMany == b.isMany
    else { return false }
    if a.distinguishesSpelling, a.spelling != b.spelling { return false }
    if x.isPlain, y.isPlain { return true }
    return x.parts.columns == y.parts.columns
      && sameShape(x.parts.orders, y.parts.orders)
      && (x.parts.offset == nil) == (y.parts.offset == nil)
      && x.parts.conflict == y.parts.conflict && sameShape(x.parts.page, y.parts.page)
      && sameShape(x.parts.embeds, y.parts.embeds)
      && sameShape(x.parts.aggregates, y.parts.aggregates)
      && sameShape(x.parts.groupFilter, y.parts.groupFilter)
      && x.parts.counting == y.parts.counting
  }

  func hash(into hasher: inout Hasher) {
    let storage = route.storage
    hasher.combine(storage.parts.method)
    hasher.combine(storage.parts.table)
    for column in storage.parts.columns { hasher.combine(column) }
    for order in storage.parts.orders { hasher.combine(order.column) }
    for aggregate in storage.parts.aggregates { aggregate.name.hashName(into: &hasher) }
    if let filter = storage.parts.filter { Self.hash(filter, into: &hasher) }
    if let record { for field in record.fields { hasher.combine(field.column) } }
  }

  /// The same shape without the user's values, for use as a cache key.
  var withoutValues: RouteShape {
    var copy = self
    copy.route.values = []
    copy.route.filter = route.filter.map(Self.withoutValues)
    copy.check = check.map(Self.withoutValues)
    if !route.embeds.isEmpty { copy.route.embeds = route.embeds.map(Self.withoutValues) }
    if !route.aggregates.isEmpty {
      copy.route.aggregates = route.aggregates.map {
        var copy = $0
        copy.filter = $0.filter.map(Self.withoutValues)
        return copy
      }
      copy.route.groupFilter = route.groupFilter.map(Self.withoutValues)
    }
    for index in copy.record?.fields.indices ?? 0..<0 { copy.record?.fields[index].value = .null }
    if let fields = copy.route.page?.after?.fields {
      copy.route.page?.after?.fields = fields.map {
        .init(column: $0.column, value: $0.value.isNull ? .null : .integer(0))
      }
    }
    return copy
  }

  private static func sameShape(_ a: DatabaseRoute.Filter?, _ b: DatabaseRoute.Filter?) -> Bool {
    switch (a, b) {
    case (nil, nil): true
    case (let a?, let b?): sameShape(a, b)
    default: false
    }
  }

  private static func sameShape(_ a: DatabaseRoute.Filter, _ b: DatabaseRoute.Filter) -> Bool {
    switch (a.form, b.form) {
    case (.all, .all): return true
    case (.not(let a), .not(let b)): return sameShape(a, b)
    case (.and(let a), .and(let b)), (.or(let a), .or(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { sameShape($0, $1) }
    case (.comparison(let a), .comparison(let b)):
      guard a.operator == b.operator, a.column == b.column else { return false }
      switch (a.operand, b.operand) {
      case (.none, .none), (.value, .value), (.list, .list): return true
      case (.any(let a), .any(let b)), (.each(let a), .each(let b)): return a.count == b.count
      default: return false
      }
    default: return false
    }
  }

  private static func sameShape(_ a: DatabaseRoute.Page?, _ b: DatabaseRoute.Page?) -> Bool {
    guard (a == nil) == (b == nil), (a?.after == nil) == (b?.after == nil) else { return false }
    guard let a = a?.after, let b = b?.after else { return true }
    return a.fields.count == b.fields.count
      && zip(a.fields, b.fields).allSatisfy {
        $0.column == $1.column && $0.value.isNull == $1.value.isNull
      }
  }

  private static func sameShape(_ a: DatabaseRoute.Record?, _ b: DatabaseRoute.Record?) -> Bool {
    guard let a, let b else { return (a == nil) == (b == nil) }
    return a.fields.count == b.fields.count
      && zip(a.fields, b.fields).allSatisfy { $0.column == $1.column }
  }

  private static func sameShape(_ a: [DatabaseRoute.Embed], _ b: [DatabaseRoute.Embed]) -> Bool {
    a.count == b.count
      && zip(a, b).allSatisfy { a, b in
        // User-defined names are compared byte by byte: Swift treats composed and decomposed characters as equal.
        a.table == b.table && a.name.hasSameBytes(as: b.name) && sameBytes(a.via, b.via)
          && a.columns == b.columns && sameShape(a.orders, b.orders) && a.isRequired == b.isRequired
          && sameShape(a.filter, b.filter) && sameShape(a.embeds, b.embeds)
      }
  }

  private static func sameShape(_ a: [DatabaseRoute.Order], _ b: [DatabaseRoute.Order]) -> Bool {
    a.count == b.count
      && zip(a, b).allSatisfy { a, b in
        a.column == b.column && a.ascending == b.ascending && a.nullsFirst == b.nullsFirst
          && sameBytes(a.collation, b.collation)
      }
  }

  private static func sameShape(
    _ a: [DatabaseRoute.Aggregate], _ b: [DatabaseRoute.Aggregate]
  ) -> Bool {
    a.count == b.count
      && zip(a, b).allSatisfy { a, b in
        a.function == b.function && a.column == b.column && a.name.hasSameBytes(as: b.name)
          && a.isDistinct == b.isDistinct && sameShape(a.filter, b.filter)
      }
  }

  private static func sameBytes(_ a: String?, _ b: String?) -> Bool {
    guard let a, let b else { return (a == nil) == (b == nil) }
    return a.hasSameBytes(as: b)
  }

  private static func hash(_ filter: DatabaseRoute.Filter, into hasher: inout Hasher) {
    switch filter.form {
    case .all, .tooDeep: hasher.combine(0)
    case .not(let filter):
      hasher.combine(1)
      hash(filter, into: &hasher)
    case .and(let filters):
      hasher.combine(2)
      for filter in filters { hash(filter, into: &hasher) }
    case .or(let filters):
      hasher.combine(3)
      for filter in filters { hash(filter, into: &hasher) }
    case .comparison(let comparison):
      hasher.combine(comparison.column)
      comparison.operator.rawValue.hashName(into: &hasher)
    }
  }

  private static func withoutValues(_ embed: DatabaseRoute.Embed) -> DatabaseRoute.Embed {
    var copy = embed
    copy.filter = embed.filter.map(withoutValues)
    copy.embeds = embed.embeds.map(withoutValues)
    return copy
  }

  private static func withoutValues(_ filter: DatabaseRoute.Filter) -> DatabaseRoute.Filter {
    switch filter.form {
    case .all: return .all
    case .tooDeep: return filter
    case .not(let filter): return .not(withoutValues(filter))
    case .and(let filters): return .and(filters.map(withoutValues))
    case .or(let filters): return .or(filters.map(withoutValues))
    case .comparison(var comparison):
      switch comparison.operand {
      case .none: break
      case .value(let value): comparison.operand = .value(value.representative)
      case .list: comparison.operand = .list([])
      case .any(let values): comparison.operand = .any(values.map(\.representative))
      case .each(let values): comparison.operand = .each(values.map(\.representative))
      }
      return .comparison(comparison)
    }
  }
}
