internal import QueryModel
internal import SQLSyntax

/// `OVER` clauses. See <https://www.sqlite.org/windowfunctions.html>.
extension Resolver {
  /// A resolved `OVER` clause.
  struct ResolvedOver {
    /// Indicates whether the frame may be empty for some row.
    var frameMayBeEmpty: Bool
    /// The expressions of the window.
    var parts: [TypedExpression] = []
  }

  /// Returns the windows of a `WINDOW` clause by name. A window can extend an earlier one, whose
  /// terms it receives here, so that no window refers to another. SQLite ignores the base window of
  /// the first definition.
  mutating func resolveWindowDefinitions(
    _ definitions: [WindowDefinition]
  ) -> [NameKey: WindowDefinition] {
    var windows: [NameKey: WindowDefinition] = [:]
    for (position, definition) in definitions.enumerated() {
      var definition = definition
      if let name = definition.window.base {
        if let base = windows[NameKey(name.text)]?.window {
          checkExtension(of: base, by: definition.window, named: name)
          definition.window.partitionBy = base.partitionBy
          definition.window.orderBy = base.orderBy + definition.window.orderBy
        } else if position > 0 {
          reportUnknown(
            .unknownWindow, "window", name.text, at: name.span,
            candidates: windows.values.map(\.name.text))
        }
        definition.window.base = nil
      }
      windows[NameKey(definition.name.text)] = definition
    }
    return windows
  }

  /// Resolves the window of a function. Functions within the window can't have windows themselves.
  mutating func resolveOver(
    _ over: OverClause, in scope: Scope
  ) -> ResolvedOver {
    var rules = scope.rules
    rules.allowsWindows = false
    let inner = scope.with(rules: rules)
    switch over {
    case .named(let name):
      guard let window = scope.windows[NameKey(name.text)] else {
        reportUnknown(
          .unknownWindow, "window", name.text, at: name.span,
          candidates: scope.windows.values.map(\.name.text))
        return ResolvedOver(frameMayBeEmpty: true)
      }
      trace?.window(name, in: scope)
      return resolve(window.window, in: inner)
    case .specification(let window): return resolve(window, in: inner)
    }
  }

  private mutating func resolve(
    _ window: WindowSpecification, in scope: Scope
  ) -> ResolvedOver {
    var parts: [TypedExpression] = []
    var orderCount = window.orderBy.count
    if let name = window.base {
      if let base = scope.windows[NameKey(name.text)]?.window {
        checkExtension(of: base, by: window, named: name)
        orderCount += base.orderBy.count
        parts += resolve(base, in: scope).parts
      } else {
        reportUnknown(
          .unknownWindow, "window", name.text, at: name.span,
          candidates: scope.windows.values.map(\.name.text))
      }
    }
    for expression in window.partitionBy { parts.append(resolveScalar(expression, in: scope)) }
    for term in window.orderBy { parts.append(resolveScalar(term.expression, in: scope)) }
    let mayBeEmpty =
      window.frame.map { resolve($0, orderCount: orderCount, in: scope) } ?? false
    return ResolvedOver(frameMayBeEmpty: mayBeEmpty, parts: parts)
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
        hint(resolveScalar(offset, in: scope), type: .integer, acceptsNull: false)
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
    return excludes || !frame.start.includesCurrentOrPrecedingRow
      || !end.includesCurrentOrFollowingRow
  }
}

extension WindowFrame.Bound {
  /// Indicates whether a frame that starts here includes the current row or one before it.
  fileprivate var includesCurrentOrPrecedingRow: Bool {
    switch self {
    case .unboundedPreceding, .currentRow, .preceding: true
    case .following, .unboundedFollowing: false
    }
  }

  /// Indicates whether a frame that ends here includes the current row or one after it.
  fileprivate var includesCurrentOrFollowingRow: Bool {
    switch self {
    case .unboundedFollowing, .currentRow, .following: true
    case .preceding, .unboundedPreceding: false
    }
  }
}
