extension Driver {
  /// What came of applying remedies.
  public struct FixOutcome: Hashable, Sendable {
    /// The number of changes, and the paths of the files that were changed.
    public var fixCount = 0
    public var files: [String] = []
    /// What is wrong afterwards.
    public var outcome: Outcome
  }

  /// Applies the remedies that errors come with, such as the right spelling of a name, and checks
  /// again. Of remedies that overlap the first one counts; released migrations stay as they are.
  public func fix() -> FixOutcome {
    let input = Input(options)
    let before = check()
    let released = Set(input.lock.lines.map(\.name))
    let untouchable = Set(
      input.folder.migrations.filter { released.contains($0.name) }.map(\.path))
    var changes: [String: [ReportedDiagnostic.FixIt]] = [:]
    for diagnostic in before.diagnostics
    where diagnostic.severity == .error && !untouchable.contains(diagnostic.file) {
      changes[diagnostic.file, default: []] += diagnostic.fixIts
    }
    var fixed = FixOutcome(outcome: before)
    var failures: [FileFailure] = []
    for (path, fixIts) in changes.sorted(by: { $0.key < $1.key }) where !fixIts.isEmpty {
      do throws(FileFailure) {
        fixed.fixCount += try apply(fixIts, to: path)
        fixed.files.append(path)
      } catch {
        failures.append(error)
      }
    }
    fixed.outcome = check()
    for failure in failures { fixed.outcome.add(failure, usesColor: options.usesColor) }
    return fixed
  }

  private func apply(
    _ fixIts: [ReportedDiagnostic.FixIt], to path: String
  ) throws(FileFailure) -> Int {
    var bytes = try TextFile.read(path)
    var count = 0
    var limit = bytes.count
    // From the end, so that the places before stay what they are.
    for fixIt in Set(fixIts).sorted(by: { $0.place.offset > $1.place.offset }) {
      let end = fixIt.place.offset + fixIt.place.length
      guard end <= limit, end <= bytes.count else { continue }
      bytes.replaceSubrange(fixIt.place.offset..<end, with: fixIt.replacement.utf8)
      limit = fixIt.place.offset
      count += 1
    }
    try TextFile.write(bytes, to: path)
    return count
  }
}
