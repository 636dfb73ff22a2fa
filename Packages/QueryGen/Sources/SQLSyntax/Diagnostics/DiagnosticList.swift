/// The diagnostics of one text, in the order they were found.
///
/// Stages append to a list they are handed. The list holds at most ``limit`` errors: the one after
/// is replaced by a last diagnostic that says so, and later ones are dropped, so that hostile text
/// costs no memory.
public struct DiagnosticList: Sendable {
  /// The most errors that are kept.
  public static let limit = 100

  /// What was found.
  public private(set) var diagnostics: [Diagnostic] = []
  /// The number of errors kept.
  public private(set) var errorCount = 0

  /// Creates an empty list.
  public init() {}

  /// Whether a text with these diagnostics can't be used.
  public var hasErrors: Bool { errorCount > 0 }

  /// Whether errors were dropped; a stage may stop looking.
  public var isFull: Bool { errorCount >= Self.limit }

  /// Adds one.
  public mutating func append(_ diagnostic: Diagnostic) {
    guard diagnostics.count < 10 * Self.limit, !isFull else { return }
    guard diagnostic.severity == .error else {
      diagnostics.append(diagnostic)
      return
    }
    errorCount += 1
    diagnostics.append(isFull ? .tooManyErrors(at: diagnostic.span) : diagnostic)
  }
}
