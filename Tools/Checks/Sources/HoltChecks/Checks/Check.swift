/// A rule over the whole repository.
public protocol Check: Sendable {
  /// The word that names it on the command line.
  var name: String { get }
  /// One line for the help.
  var summary: String { get }
  /// Looks at everything the rule covers.
  ///
  /// - Returns: What is refused, in a stable order; empty when all is well.
  /// - Throws: ``CheckError`` when the check can't be made at all.
  func findings(in repository: Repository) throws(CheckError) -> [Finding]
}
