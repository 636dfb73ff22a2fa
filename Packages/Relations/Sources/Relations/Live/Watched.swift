internal import Observation

/// What stands for the content of relations where it is observed.
///
/// A key path of a generic type is made anew each time that it is asked for, which takes longer than all else that is done.
final class Watched: Observable, Sendable {
  private static let subject = Watched()

  var content: Void { () }

  static func access(by registrar: ObservationRegistrar) {
    registrar.access(subject, keyPath: \.content)
  }

  /// Runs what changes the content, and tells those who have looked at it.
  static func mutate<Result>(by registrar: ObservationRegistrar, _ body: () -> Result) -> Result {
    registrar.withMutation(of: subject, keyPath: \.content, body)
  }
}
