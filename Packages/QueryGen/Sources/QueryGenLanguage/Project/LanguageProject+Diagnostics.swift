internal import QueryGenDriver
internal import SQLSemantics
public import SQLSyntax

extension LanguageProject {
  /// Returns the diagnostics of a file, sorted by location. A diagnostic of the
  /// whole project, such as a missing folder, belongs to its configuration, or else to its first
  /// file.
  public func diagnostics(of path: String) -> [Diagnostic] {
    guard let file = file(path) else { return [] }
    var list = file.diagnostics
    let start = ByteSpan(0..<0)
    for failure in compilation.failures where owner(of: failure) == path {
      list.append(
        Diagnostic(
          failure.identity, severity: failure.isWarning ? .warning : .error, at: start,
          failure.message))
    }
    for broken in compilation.brokenObjects {
      guard let place = definitions.object(broken.name), place.path == path else { continue }
      list.append(
        Diagnostic(
          .brokenObject, severity: .warning, at: place.name,
          "the \(broken.kind) '\(broken.name)' can't be used: \(broken.message)"))
    }
    if isSingleFile {
      list.append(
        Diagnostic(
          .noProject, severity: .warning, at: start,
          "this file belongs to no QueryGen project, so it is checked against an empty schema"))
    }
    for diagnostic in planDiagnostics(of: path) { list.append(diagnostic) }
    return list.sortedByLocation
  }

  private func owner(of failure: FileFailure) -> String? {
    // Broken views and triggers are shown at their definitions.
    if failure.identity == .brokenObject,
      compilation.brokenObjects.contains(where: { definitions.object($0.name) != nil })
    {
      return nil
    }
    let paths = paths
    if paths.contains(failure.path) { return failure.path }
    return input.configurationFile?.path ?? paths.first
  }
}

extension Diagnostic.Identity {
  /// A file outside of all projects.
  public static let noProject = Self(rawValue: "no-project")
  static let brokenObject = Self(rawValue: "broken-object")
}
