public import Observe
internal import Primitives
public import SQLiteCore

/// Draws commits and the values that observers received as lines of text, with a column for each
/// step of a test and a row for each observer.
///
/// ```swift
/// let timeline = try await Timeline(database)
/// await timeline.observe("names", names)
/// await timeline.observe("count", count)
/// try await timeline.step("insert") { try await database.write { try $0.run("INSERT …") } }
/// try await timeline.step("rename") { try await database.write { try $0.run("UPDATE …") } }
/// #expect(timeline.drawing == """
///            start    insert       rename
///   commits  ─────────1────────────2──────────
///   names    ["Ada"]──["Ada", …]───["Bo", …]
///   count    1────────2───────────────────────
///   """)
/// ```
///
/// A timeline is independent of time: a step runs an action, waits until all observers have
/// received its effects, and draws the new elements in the step's column.
/// - Several elements in one step are separated by commas, in order.
/// - `✕` is an error: one that ends the row, or a failed element of `results`. `|` is an end
///   without an error.
/// - `…` is a controller that is disabled, or has no value.
/// - The first row shows the commits by their numbers; `↩` is a transaction that was rolled back.
public final class Timeline: Sendable {
  /// Returns the drawn elements of a row since the last call, and whether its sequence has ended.
  private typealias TakeCells = @Sendable () async -> (cells: [String], hasEnded: Bool)

  private struct State {
    var drawing = Drawing()
    var rows: [TakeCells] = []
    var isStepping = false
  }

  private let database: Database
  private let state = Mutex(State())

  /// Creates a timeline, starting with the commits from now on.
  ///
  /// - Throws: The same errors as `Database.startObserving()`.
  public init(_ database: Database) async throws {
    self.database = database
    try await database.startObserving()
    await add("commits", database.transactionEvents, drawnAs: Self.draw)
  }

  // MARK: Rows

  /// Adds a row with the elements of a sequence from now on.
  ///
  /// Elements that are available immediately appear in the column of the current step, or of the
  /// last one.
  ///
  /// - Parameters:
  ///   - name: The name of the row.
  ///   - sequence: The sequence to iterate: any sequence that ``Recording`` takes.
  ///   - draw: Returns a short form of an element. By default, its description, or `✕` for a failed
  ///     `Result`.
  public func observe<Base: AsyncSequence & Sendable>(
    _ name: String, _ sequence: Base,
    drawnAs draw: (@Sendable (Base.Element) -> String)? = nil
  ) async where Base.Element: Sendable {
    await add(name, sequence, drawnAs: draw ?? { Drawing.text(of: $0) })
  }

  /// Adds a row with the value that a query's controller shows at the end of each step, if it has
  /// changed.
  ///
  /// - Parameters:
  ///   - name: The name of the row.
  ///   - controller: A controller whose values come from the timeline's database.
  ///   - draw: Returns a short form of a value. By default, its description.
  public func observe<Request: Queryable>(
    _ name: String, _ controller: QueryController<Request>,
    drawnAs draw: (@Sendable (Request.Value) -> String)? = nil
  ) async {
    let last = Mutex("")
    await add(name) { [database] in
      await controller.waitUntilIdle(in: database)
      let phase = await controller.phase
      let text =
        switch phase {
        case .failed: Drawing.failure
        case .value(let value): draw?(value) ?? Drawing.text(of: value)
        case .idle, .loading: "…"
        }
      let isNew = last.withLock { last in
        defer { last = text }
        return last != text
      }
      return (isNew ? [text] : [], false)
    }
  }

  private func add<Base: AsyncSequence & Sendable>(
    _ name: String, _ sequence: Base, drawnAs draw: @escaping @Sendable (Base.Element) -> String
  ) async where Base.Element: Sendable {
    let recording = await Recording(sequence, of: database)
    let hasEnded = Mutex(false)
    await add(name) {
      var cells = recording.takeNew().map(draw)
      let hadEnded = hasEnded.withLock { ended in
        defer { ended = recording.hasEnded }
        return ended
      }
      if recording.hasEnded, !hadEnded {
        cells.append(recording.error == nil ? Drawing.end : Drawing.failure)
      }
      return (cells, recording.hasEnded)
    }
  }

  private func add(_ name: String, _ takeCells: @escaping TakeCells) async {
    let isStepping = state.withLock { state in
      state.rows.append(takeCells)
      state.drawing.addRow(name)
      return state.isStepping
    }
    // During a step, all rows are drawn at its end.
    if !isStepping { await fill() }
  }

  // MARK: Steps

  /// Runs an action, waits until all observers have received its effects, and draws them in a new
  /// column.
  ///
  /// ```swift
  /// try await timeline.step("insert") { try await database.write { try $0.run("INSERT …") } }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the column.
  ///   - action: The action: a commit, a call of `DatabaseObservation.Control.pause()`,
  ///     `TestClock.advance(by:)`.
  /// - Throws: The error of `action`, after drawing its effects.
  @discardableResult
  public func step<Result>(
    _ name: String, _ action: () async throws -> Result
  ) async rethrows -> Result {
    state.withLock { state in
      state.isStepping = true
      state.drawing.addColumn(name)
    }
    func finish() async {
      await database.waitUntilIdle(includingConsumers: true)
      state.withLock { $0.isStepping = false }
      await fill()
    }
    do {
      let result = try await action()
      await finish()
      return result
    } catch {
      await finish()
      throw error
    }
  }

  /// Draws the new elements in the last column.
  private func fill() async {
    var taken: [(cells: [String], hasEnded: Bool)] = []
    for takeCells in state.withLock({ $0.rows }) { taken.append(await takeCells()) }
    state.withLock { [taken] state in
      for (row, new) in taken.enumerated() {
        state.drawing.add(new.cells, toRow: row, isLast: new.hasEnded)
      }
    }
  }

  /// The current drawing.
  public var drawing: String { state.withLock { $0.drawing.description } }

  @Sendable private static func draw(_ event: DatabaseObservation.TransactionEvent) -> String {
    switch event {
    case .rollback: return "↩"
    case .commit(let changes):
      let (first, last) = (changes.sequences.lowerBound, changes.sequences.upperBound)
      return first == last ? "\(first)" : "\(first)–\(last)"
    }
  }
}

extension Timeline: CustomStringConvertible {
  public var description: String { drawing }
}

/// Rows of cells, drawn as lines from each row's start to its end.
struct Drawing {
  static let failure = "✕"
  static let end = "|"

  private struct Row {
    let name: String
    /// The content of each column; `nil` before the row's start or after its end.
    var cells: [String?]
    var hasEnded = false
  }

  private var columns = ["start"]
  private var rows: [Row] = []

  /// Returns an element's description, or the failure symbol.
  static func text(of element: Any) -> String { (element as? any Outcome)?.text ?? "\(element)" }

  /// Adds a row that begins in the last column.
  mutating func addRow(_ name: String) {
    rows.append(Row(name: name, cells: Array(repeating: nil, count: columns.count - 1) + [""]))
  }

  mutating func addColumn(_ name: String) {
    columns.append(name)
    for row in rows.indices { rows[row].cells.append(rows[row].hasEnded ? nil : "") }
  }

  /// Adds to the last column.
  mutating func add(_ cells: [String], toRow index: Int, isLast: Bool) {
    rows[index].hasEnded = isLast
    if cells.isEmpty { return }
    let column = columns.count - 1
    let text = cells.map { $0.replacing("\n", with: "⏎") }.joined(separator: ",")
    let before = rows[index].cells[column] ?? ""
    rows[index].cells[column] = before.isEmpty ? text : "\(before),\(text)"
  }
}

extension Drawing: CustomStringConvertible {
  var description: String {
    let gap = 2
    let nameWidth = (rows.map(\.name.count).max() ?? 0) + gap
    let widths = columns.indices.map { column in
      (rows.map { $0.cells[column]?.count ?? 0 } + [columns[column].count]).max() ?? 0
    }
    func pad(_ text: String, to width: Int, with filler: Character) -> String {
      text + String(repeating: filler, count: max(0, width - text.count))
    }
    var lines = [
      pad("", to: nameWidth, with: " ")
        + columns.indices.map { pad(columns[$0], to: widths[$0] + gap, with: " ") }.joined()
    ]
    for row in rows {
      var line = pad(row.name, to: nameWidth, with: " ")
      for column in columns.indices {
        let isLast = column == columns.count - 1
        let width = widths[column] + (isLast ? 0 : gap)
        guard let cell = row.cells[column] else {
          line += pad("", to: width, with: " ")
          continue
        }
        let endsHere = row.hasEnded && (isLast || row.cells[column + 1] == nil)
        line += pad(cell, to: width, with: endsHere ? " " : "─")
      }
      lines.append(line)
    }
    return lines.map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}

/// A value that may be a failure.
private protocol Outcome {
  var text: String { get }
}

extension Result: Outcome {
  fileprivate var text: String {
    if case .success(let value) = self { Drawing.text(of: value) } else { Drawing.failure }
  }
}
