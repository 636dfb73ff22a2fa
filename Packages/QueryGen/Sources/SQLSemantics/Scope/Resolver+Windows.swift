internal import QueryModel
internal import SQLSyntax

/// `OVER` clauses. See <https://www.sqlite.org/windowfunctions.html>.
extension Resolver {
  /// Resolves a window, and says whether its frame may be empty for some row.
  mutating func resolveOver(
    _ over: OverClause, function: BuiltinFunction?, in scope: Scope
  ) -> Bool {
    var rules = scope.rules
    rules.allowsWindows = false
    let inner = scope.with(rules: rules)
    switch over {
    case .named(let name):
      guard let window = scope.windows[NameKey(name.text)] else {
        reportUnknown(
          .unknownWindow, "window", name.text, at: name.span,
          candidates: scope.windows.values.map(\.name.text))
        return true
      }
      return resolve(window.window, in: inner)
    case .specification(let window): return resolve(window, in: inner)
    }
  }

  private mutating func resolve(_ window: WindowSpecification, in scope: Scope) -> Bool {
    var orderCount = window.orderBy.count
    if let name = window.base {
      if let base = scope.windows[NameKey(name.text)]?.window {
        checkExtension(of: base, by: window, named: name)
        orderCount += base.orderBy.count
        _ = resolve(base, in: scope)
      } else {
        reportUnknown(
          .unknownWindow, "window", name.text, at: name.span,
          candidates: scope.windows.values.map(\.name.text))
      }
    }
    for expression in window.partitionBy { _ = resolveScalar(expression, in: scope) }
    for term in window.orderBy { _ = resolveScalar(term.expression, in: scope) }
    guard let frame = window.frame else { return false }
    return resolve(frame, orderCount: orderCount, in: scope)
  }

  private mutating func checkExtension(
    of base: WindowSpecification, by window: WindowSpecification, named name: Identifier
  ) {
    let clause: String? =
      if !window.partitionBy.isEmpty {
        "PARTITION clause"
      } else if !base.orderBy.isEmpty, !window.orderBy.isEmpty {
        "ORDER BY clause"
      } else if base.frame != nil {
        "frame specification"
      } else {
        nil
      }
    guard let clause else { return }
    report(
      .windowMisuse, at: name.span, "cannot override \(clause) of window: `\(name.text)`")
  }

  private mutating func resolve(
    _ frame: WindowFrame, orderCount: Int, in scope: Scope
  ) -> Bool {
    let bounds = [frame.start] + (frame.end.map { [$0] } ?? [])
    var hasOffset = false
    for bound in bounds {
      switch bound {
      case .preceding(let offset), .following(let offset):
        hasOffset = true
        hint(resolveScalar(offset, in: scope), type: .integer, takesNull: false)
      case .unboundedPreceding, .unboundedFollowing, .currentRow: break
      }
    }
    if hasOffset, frame.unit == .range, orderCount != 1 {
      report(
        .invalidFrame, at: frame.span,
        "RANGE with offset PRECEDING/FOLLOWING requires one ORDER BY expression")
    }
    let end = frame.end ?? .currentRow
    let excludes = frame.exclusion.map { $0 != .noOthers && $0 != .ties } ?? false
    return excludes || !frame.start.reachesBack || !end.reachesOn
  }
}

extension WindowFrame.Bound {
  /// Whether a frame that starts here has the current row in it, or one before.
  fileprivate var reachesBack: Bool {
    switch self {
    case .unboundedPreceding, .currentRow, .preceding: true
    case .following, .unboundedFollowing: false
    }
  }

  /// Whether a frame that ends here has the current row in it, or one after.
  fileprivate var reachesOn: Bool {
    switch self {
    case .unboundedFollowing, .currentRow, .following: true
    case .preceding, .unboundedPreceding: false
    }
  }
}
