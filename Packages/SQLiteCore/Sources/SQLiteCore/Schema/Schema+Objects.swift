internal import Primitives

extension DatabaseSchema {
  /// A view.
  public struct View: Hashable, Sendable {
    public let name: String
    /// The statement that created the view.
    public let sql: String
  }
}

extension DatabaseSchema {
  /// A trigger.
  public struct Trigger: Hashable, Sendable {
    /// The event that fires a trigger.
    public enum Event: String, Hashable, Sendable { case insert, update, delete }

    /// The time at which a trigger fires.
    public enum Timing: String, Hashable, Sendable { case before, after, insteadOf }

    public let name: String
    /// The table or view that the trigger belongs to.
    public let table: String
    /// The time at which the trigger fires.
    public let timing: Timing
    /// The event that fires the trigger.
    public let event: Event
    /// The columns whose update fires the trigger, or empty for any column.
    public let columns: [String]
    /// The statement that created the trigger.
    public let sql: String
  }
}

extension DatabaseSchema.Trigger {
  init?(table: String, sql: String) {
    guard let create = CreateStatement(sql), create.kind == .trigger else { return nil }
    let tokens = create.tokens
    var index = create.start
    var timing = Timing.before
    if tokens.is(index, "BEFORE") {
      index += 1
    } else if tokens.is(index, "AFTER") {
      (timing, index) = (.after, index + 1)
    } else if tokens.are(index, "INSTEAD", "OF") {
      (timing, index) = (.insteadOf, index + 2)
    }
    guard let event = Event(rawValue: tokens.text(index).asciiLowercased) else { return nil }
    index += 1
    var columns: [String] = []
    if tokens.is(index, "OF") {
      repeat {
        columns.append(tokens.name(index + 1))
        index += 2
      } while tokens.is(index, ",")
    }
    self.init(
      name: create.name, table: table, timing: timing, event: event, columns: columns, sql: sql)
  }
}

extension TableSchema {
  /// The module of a virtual table.
  public struct VirtualTableModule: Hashable, Sendable {
    /// The module's name, such as `fts5` or `rtree`.
    public let name: String
    /// The module's arguments.
    public let arguments: [String]

    init?(sql: String) {
      guard let create = CreateStatement(sql), create.isVirtual,
        create.tokens.is(create.start, "USING")
      else { return nil }
      let tokens = create.tokens
      name = tokens.name(create.start + 1)
      let open = create.start + 2
      guard tokens.is(open, "(") else {
        arguments = []
        return
      }
      let close = tokens.endOfParentheses(from: open)
      arguments = tokens.separated(open + 1..<max(open + 1, close - 1)).map { tokens.text($0) }
        .filter { !$0.isEmpty }
    }

    /// Returns the unquoted value of an argument `name = value`, or `nil` if there is none.
    public func option(_ name: String) -> String? {
      for argument in arguments {
        let tokens = SQLTokens(argument)
        if tokens.is(0, name), tokens.is(1, "=") { return tokens.name(2) }
      }
      return nil
    }

    /// Indicates whether the module is FTS3, FTS4 or FTS5.
    var isFullText: Bool {
      ["fts3", "fts4", "fts5"].contains { name.isEqualIgnoringASCIICase($0) }
    }

    /// Indicates whether a full-text table returns everything that was written to it. A contentless
    /// table has only its index, and a `languageid` column is hidden.
    var returnsStoredRows: Bool { option("content") != "" && option("languageid") == nil }

    /// Indicates whether the rows can be copied to another table of the same kind, like those of an
    /// ordinary table.
    var isCopyable: Bool {
      if isFullText { return option("content") == nil && returnsStoredRows }
      return ["rtree", "rtree_i32"].contains { name.isEqualIgnoringASCIICase($0) }
    }
  }
}
