internal import CSQLite

extension Hooks {
  /// Which events ``Hooks/trace(_:showsValues:_:)`` reports.
  public struct TraceEvents: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A statement begins to run, or a trigger in it.
    public static let statements = TraceEvents(rawValue: 1)
    /// A statement has come to a row.
    public static let rows = TraceEvents(rawValue: 4)
    /// The connection closes.
    public static let close = TraceEvents(rawValue: 8)

    var mask: UInt32 { UInt32(clamping: rawValue & 0b1101) }
  }
}

extension Hooks {
  /// What the engine does, as it does it.
  public enum TraceEvent: Hashable, Sendable {
    /// A statement begins to run; with its values written in, where they were asked for.
    case statement(sql: String, expandedSQL: String?)
    /// A trigger begins to run inside a statement, or a statement inside the trigger: SQLite's words,
    /// `TRIGGER` and its name or the text.
    case trigger(String)
    /// A statement has come to a row.
    case row(sql: String)
    /// The connection closes.
    case close
  }
}

/// Who listens to the trace, and to what of it.
struct Tracer {
  let events: Hooks.TraceEvents
  let showsValues: Bool
  let report: (Hooks.TraceEvent) -> Void
}

extension ConnectionHandle {
  /// Switches the tracing of statements on or off.
  func setTracing(_ isOn: Bool) throws(SQLiteError) {
    let db = unsafe try pointer()
    if isOn {
      unsafe hooks.fillTraceSlot(of: db)
    } else {
      unsafe sqlite3_trace_v2(db, 0, nil, nil)
    }
  }
}

extension Hooks {
  /// Reports what the engine does, as it does it. How long statements took, ``profile(_:)`` tells.
  ///
  /// Bound values are left out of the reports unless `showsValues` asks for them. `report` must not
  /// use the connection.
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
    unsafe fillTraceSlot(of: db)
    return subscription
  }

  /// The engine's call: `object` is the statement, or the connection that closes.
  func trace(_ kind: UInt32, of object: OpaquePointer, detail: UnsafeMutableRawPointer?) {
    let event: TraceEvent
    var values: String?
    switch kind {
    case UInt32(SQLITE_TRACE_CLOSE): event = .close
    case UInt32(SQLITE_TRACE_ROW): unsafe event = .row(sql: Self.sql(of: object))
    case UInt32(SQLITE_TRACE_STMT):
      let text = unsafe detail.map {
        unsafe String(cString: $0.assumingMemoryBound(to: CChar.self))
      }
      // Of a trigger, the engine gives a comment with its name in place of the statement.
      if let text, text.hasPrefix("--"), unsafe text != Self.sql(of: object) {
        event = .trigger(text.drop { $0 == "-" || $0 == " " }.description)
      } else {
        unsafe event = .statement(sql: Self.sql(of: object), expandedSQL: nil)
        var isAsked = false
        tracers.forEach { if $0.showsValues { isAsked = true } }
        if isAsked { values = unsafe Self.expandedSQL(of: object) }
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

  private static func sql(of statement: OpaquePointer) -> String {
    unsafe sqlite3_sql(statement).map { unsafe String(cString: $0) } ?? ""
  }

  private static func expandedSQL(of statement: OpaquePointer) -> String? {
    guard let text = unsafe sqlite3_expanded_sql(statement) else { return nil }
    defer { unsafe sqlite3_free(text) }
    return unsafe String(cString: text)
  }
}
