import Foundation

/// A progress bar on standard error that appears after half a second.
///
/// If standard error is not a terminal, no bar is shown.
public final class ProgressBar {
  private let label: String
  private let start = ContinuousClock.now
  private var shown: ContinuousClock.Instant?
  private let isOn: Bool

  public init(_ label: String, isOn: Bool = StandardStream.error.isTerminal) {
    self.label = label
    self.isOn = isOn
  }

  deinit { end() }

  /// Shows the progress. `total` is `nil` if it is unknown.
  public func show(_ done: Int, of total: Int?, _ detail: String = "") {
    guard isOn else { return }
    let now = ContinuousClock.now
    guard now - start > .milliseconds(500) else { return }
    if let shown, now - shown < .milliseconds(100) { return }
    shown = now
    let line = Self.line(label, done, of: total, detail, columns: StandardStream.error.columns)
    StandardStream.error.write("\r\u{1B}[K\(line)")
  }

  /// Removes the bar.
  public func end() {
    guard shown != nil else { return }
    shown = nil
    StandardStream.error.write("\r\u{1B}[K")
  }

  static func line(
    _ label: String, _ done: Int, of total: Int?, _ detail: String, columns: Int
  ) -> String {
    guard let total, total > 0 else {
      return String("\(label) \(detail) \(done)".prefix(columns - 1))
    }
    let part = min(1, Double(done) / Double(total))
    let percent = "\(Int(part * 100))%"
    let room = max(0, min(40, columns - label.count - detail.count - percent.count - 8))
    let filled = Int(Double(room) * part)
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: room - filled)
    return String("\(label) [\(bar)] \(percent) \(detail)".prefix(columns - 1))
  }
}
