/// The diagnostics of one text, in the order in which they were reported.
///
/// Each compiler stage appends to the list it receives. The list holds at most ``limit`` errors:
/// the last one is replaced by a diagnostic that reports the overflow, and later ones are dropped,
/// so malicious input can't exhaust memory.
public struct DiagnosticList: Sendable {
  /// The maximum number of errors in a list.
  public static let limit = 100

  /// The collected diagnostics.
  public private(set) var diagnostics: [Diagnostic] = []
  /// The number of collected errors.
  public private(set) var errorCount = 0

  /// Creates an empty list.
  public init() {}

  /// Indicates whether the list contains errors, so that the text can't be compiled.
  public var hasErrors: Bool { errorCount > 0 }

  /// Indicates whether the error limit is reached. A stage may then stop early.
  public var isFull: Bool { errorCount >= Self.limit }

  /// Appends a diagnostic unless the list is full.
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
