/// A rule over the whole repository.
public protocol Check: Sendable {
  /// The check's name on the command line.
  var name: String { get }
  /// A one-line description for the help.
  var summary: String { get }
  /// Checks every file that the rule covers.
  ///
  /// - Returns: The violations, in a stable order; empty if there are none.
  /// - Throws: ``CheckError`` if the check can't run.
  func findings(in repository: Repository) throws(CheckError) -> [Finding]
}
