internal import CSQLite

extension Hooks {
  /// The events that ``Hooks/trace(_:showsValues:_:)`` reports.
  public struct TraceEvents: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A statement, or a trigger in it, begins to run.
    public static let statements = TraceEvents(rawValue: 1)
    /// A statement has returned a row.
    public static let rows = TraceEvents(rawValue: 4)
    /// The connection closes.
    public static let close = TraceEvents(rawValue: 8)

    var mask: UInt32 { UInt32(clamping: rawValue & 0b1101) }
  }
}

extension Hooks {
  /// An event during SQLite's work.
  public enum TraceEvent: Hashable, Sendable {
    /// A statement begins to run. `expandedSQL` includes the bound values if they were requested.
    case statement(sql: String, expandedSQL: String?)
    /// A trigger, or a statement in it, begins to run. The text is `TRIGGER` and the trigger's
    /// name, or the statement's text.
    case trigger(String)
    /// A statement has returned a row.
    case row(sql: String)
    /// The connection closes.
    case close
  }
}

/// A subscription to the trace.
struct Tracer {
  let events: Hooks.TraceEvents
  let showsValues: Bool
  let report: (Hooks.TraceEvent) -> Void
}

extension ConnectionHandle {
  /// Turns the tracing of statements on or off.
  func setTracing(_ isOn: Bool) throws(SQLiteError) {
    let db = unsafe try pointer()
    if isOn {
      unsafe hooks.updateTraceHook(of: db)
    } else {
      unsafe sqlite3_trace_v2(db, 0, nil, nil)
    }
  }
}

extension Hooks {
  /// Reports events during SQLite's work. To measure statements, use ``profile(_:)``.
  ///
  /// Bound values are not reported unless `showsValues` is `true`. `report` must not use the
  /// connection.
  ///
  /// ```swift
  /// try connection.hooks.trace { event in
  ///   if case .statement(let sql, _) = event { print(sql) }
  /// }
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``.
  @discardableResult
  public func trace(
    _ events: TraceEvents = .statements, showsValues: Bool = false,
    _ report: @escaping (TraceEvent) -> Void
  ) throws(SQLiteError) -> Subscription {
    let db = unsafe try connection()
    let tracer = Tracer(events: events, showsValues: showsValues, report: report)
    let subscription = subscribe(tracer, in: \.tracers)
    unsafe updateTraceHook(of: db)
    return subscription
  }

  /// Handles SQLite's callback. `object` is the statement, or the connection that is closed.
  func trace(_ kind: UInt32, of object: OpaquePointer, detail: UnsafeMutableRawPointer?) {
    guard tracers.contains(where: { $0.events.mask & kind != 0 }) else { return }
    let event: TraceEvent
    var values: String?
    switch kind {
    case UInt32(SQLITE_TRACE_CLOSE): event = .close
    case UInt32(SQLITE_TRACE_ROW): unsafe event = .row(sql: Self.sql(of: object))
    case UInt32(SQLITE_TRACE_STMT):
      let text = unsafe detail.map {
        unsafe String(cString: $0.assumingMemoryBound(to: CChar.self))
      }
      // For a trigger, SQLite passes a comment with its name instead of the statement.
      if let text, text.hasPrefix("--"), unsafe text != Self.sql(of: object) {
        event = .trigger(text.drop { $0 == "-" || $0 == " " }.description)
      } else {
        unsafe event = .statement(sql: Self.sql(of: object), expandedSQL: nil)
        if tracers.contains(where: \.showsValues) { values = unsafe Self.expandedSQL(of: object) }
      }
    default: return
    }
    tracers.forEach { tracer in
      guard tracer.events.mask & kind != 0 else { return }
      if tracer.showsValues, case .statement(let sql, _) = event {
        tracer.report(.statement(sql: sql, expandedSQL: values))
      } else {
        tracer.report(event)
      }
    }
  }

  static func sql(of statement: OpaquePointer) -> String {
    unsafe sqlite3_sql(statement).map { unsafe String(cString: $0) } ?? ""
  }

  static func expandedSQL(of statement: OpaquePointer) -> String? {
    guard let text = unsafe sqlite3_expanded_sql(statement) else { return nil }
    defer { unsafe sqlite3_free(text) }
    return unsafe String(cString: text)
  }
}
