internal import SwiftDiagnostics

/// An error or a note of a macro, with an identifier that is independent of the message.
struct MacroMessage: DiagnosticMessage, NoteMessage {
  let diagnosticID: MessageID
  let message: String

  var severity: DiagnosticSeverity { .error }
  var noteID: MessageID { diagnosticID }

  init(_ domain: Domain, id: String, _ message: String) {
    diagnosticID = MessageID(domain: domain.rawValue, id: id)
    self.message = message
  }

  /// The macro that reports the message.
  enum Domain: String {
    case casePathable = "CasePathable"
    case table = "Table"
  }
}
