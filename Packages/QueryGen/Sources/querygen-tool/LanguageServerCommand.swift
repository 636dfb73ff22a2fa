import ArgumentParser
import Foundation
import LSPWire
import QueryGenDatabase
import QueryGenServer

/// `querygen lsp`
struct LanguageServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp",
    abstract: "Runs a language server for editors on the standard input and output.",
    discussion: """
      The server implements the Language Server Protocol 3.17. An editor starts it for .sql files: \
      it checks migrations and queries while they are edited.

      Exit codes: 0 if the client shuts the server down, 1 if the connection ends otherwise.
      """)

  // Many clients pass this option to every server.
  @Flag(help: "Use the standard input and output, which is the default.")
  var stdio = false

  func run() throws {
    let output = FileHandle.standardOutput
    let inbox = Inbox()
    var server = LanguageServer(
      makePlanSession: DatabasePlanSession.init, isCancelled: { inbox.isCancelled($0) }
    ) { body in
      output.write(MessageReader.frame(body))
    }
    inbox.read(.standardInput)
    throw ExitCode(server.run(inbox))
  }
}
