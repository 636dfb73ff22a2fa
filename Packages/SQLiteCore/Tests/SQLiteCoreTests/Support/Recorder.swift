import SQLiteCore

/// An observer that records its events as text.
final class Recorder: TransactionObserver {
  var events: [String] = []
  /// The error that `willCommit` throws.
  var veto: (any Error)?
  /// Called for each change.
  var onChange: () -> Void = {}
  /// Called by `willCommit`.
  var onWillCommit: () -> Void = {}
  /// Called by `didCommit`.
  var onCommit: () -> Void = {}
  private let name: String
  private let showsValues: Bool

  init(_ name: String = "", showsValues: Bool = false) {
    self.name = name
    self.showsValues = showsValues
  }

  /// Returns the events since the last call.
  func take() -> [String] {
    defer { events = [] }
    return events
  }

  func willChange(_ change: borrowing Hooks.RowChange) {
    // A rowid that does not exist is recorded as 0.
    let old = change.kind == .insert ? 0 : change.oldRowID.rawValue
    let new = change.kind == .delete ? 0 : change.newRowID.rawValue
    var text = "\(change.kind) \(change.table) \(old)→\(new)"
    if showsValues {
      let columns = (0..<change.columnCount).map { ColumnIndex($0) }
      let old = columns.map { change.oldValue(at: $0)?.description ?? "-" }
      let new = columns.map { change.newValue(at: $0)?.description ?? "-" }
      text += " (\(old.joined(separator: ","))) (\(new.joined(separator: ",")))"
    }
    if change.depth > 0 { text += " depth \(change.depth)" }
    events.append(name + text)
    onChange()
  }

  func statementDidFail() { events.append("\(name)failed") }

  func savepointDidChange(_ event: Hooks.SavepointEvent) {
    // The names of SQLiteCore's savepoints vary.
    let savepoint = event.name.hasPrefix("holt_") ? "holt" : event.name
    events.append("\(name)\(event.kind) \(savepoint)")
  }

  func schemaDidChange() { events.append("\(name)schema") }

  func willCommit() throws {
    events.append("\(name)willCommit")
    onWillCommit()
    if let veto { throw veto }
  }

  func didCommit() {
    events.append("\(name)didCommit")
    onCommit()
  }

  func didRollback() { events.append("\(name)didRollback") }
}
