internal import Primitives

extension DatabaseSchema {
  /// A view.
  public struct View: Hashable, Sendable {
    public let name: String
    /// The statement that made it.
    public let sql: String
  }
}

extension DatabaseSchema {
  /// A trigger.
  public struct Trigger: Hashable, Sendable {
    /// What fires a trigger.
    public enum Event: String, Hashable, Sendable { case insert, update, delete }

    /// When a trigger fires.
    public enum Timing: String, Hashable, Sendable { case before, after, insteadOf }

    public let name: String
    /// The table or view that it belongs to.
    public let table: String
    /// When it fires.
    public let timing: Timing
    /// What fires it.
    public let event: Event
    /// The columns that it watches; empty where it fires at the update of any.
    public let columns: [String]
    /// The statement that made it.
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
  /// What provides a virtual table.
  public struct VirtualTableModule: Hashable, Sendable {
    /// `fts5`, `rtree`, and so on.
    public let name: String
    /// What stands between the parentheses, argument by argument.
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

    /// The value of an argument `name = value`, without its quotes; `nil` where there is none.
    public func option(_ name: String) -> String? {
      for argument in arguments {
        let tokens = SQLTokens(argument)
        if tokens.is(0, name), tokens.is(1, "=") { return tokens.name(2) }
      }
      return nil
    }

    /// Whether it is full-text search, of which several generations are about.
    var isFullText: Bool {
      ["fts3", "fts4", "fts5"].contains { name.isEqualIgnoringASCIICase($0) }
    }

    /// Whether reading a full-text table gives everything that was written into it: one without
    /// content has only its index, and the language of a row is in a hidden column.
    var givesItsRowsBack: Bool { option("content") != "" && option("languageid") == nil }

    /// Whether its rows can be copied to another table of its kind, as those of a plain table can.
    var isCopyable: Bool {
      if isFullText { return option("content") == nil && givesItsRowsBack }
      return ["rtree", "rtree_i32"].contains { name.isEqualIgnoringASCIICase($0) }
    }
  }
}
