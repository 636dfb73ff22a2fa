import ArgumentParser
import Foundation
import Terminal

/// `holt shell`
struct Shell: ParsableCommand, ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs SQL interactively on one or more files of any supported format.",
    discussion: """
      The files are read once, when the shell starts. Tables have the same names as in \
      `holt query`. A statement can have several lines, and ends with a semicolon; Ctrl-C cancels \
      it. The tab key completes names and keywords, and .help lists the commands.

      Files are only changed with --write: databases after each statement, and other files by \
      .save and when the shell ends.

      The history is kept in ~/.holt_history; HOLT_HISTORY names another file, or is empty for none.

      If standard input is not a terminal, the shell runs the statements in it, and its exit code \
      is 2 if one of them has failed.

      Examples:

        holt shell orders.csv towns.json
        holt shell app.sqlite --write
      """)

  @Argument(help: "The files.", completion: .file())
  var files: [SourceArgument] = []

  @Option(
    help: ArgumentHelp(
      "The files' format: sqlite, spon, json, jsonl, xml or csv. By default, it is detected."))
  var format: FileFormat?

  @OptionGroup(title: "Reading files") var input: InputOptions

  @Option(
    name: .shortAndLong,
    help: "The format of rows: table, vertical, json, jsonl, csv, spon or markdown.")
  var output: OutputFormat?

  @Option(help: "When to use colors: auto, always or never.")
  var color: ColorChoice = .auto

  @Flag(help: "Allow the SQL to change the files.")
  var write = false

  var wantsJSON: Bool { false }

  func validate() throws {
    if write, let option = input.partialOption {
      throw ValidationError("--write can't be combined with \(option), since rows would be lost")
    }
    if files.contains(where: \.isStandardInput) {
      throw ValidationError("standard input contains the statements, and can't be a file")
    }
  }

  func run() throws {
    let workspace = try Workspace(files, input.values(format: format), writes: write)
    let session = ShellSession(workspace, mode: output, color: color, writes: write)
    if StandardStream.input.isTerminal, StandardStream.output.isTerminal,
      let editor = LineEditor(historyPath: Self.historyPath)
    {
      try runInteractively(session, editor)
    } else {
      try runScript(session)
    }
    if write { try session.save() }
  }

  private func runInteractively(_ session: ShellSession, _ editor: LineEditor) throws {
    StandardStream.output.write(
      "holt \(HoltCommand.configuration.version): .help lists the commands, Ctrl-D ends the shell\n"
    )
    var buffer = StatementBuffer()
    editor.setWords(session.words())
    while !session.isEnded {
      switch editor.read(prompt: buffer.text.isEmpty ? "holt> " : "  ..> ") {
      case .cancelled: buffer = StatementBuffer()
      case .end: return StandardStream.output.write("\n")
      case .line(let line):
        try add(line, to: &buffer, session) { editor.remember($0.replacing("\n", with: " ")) }
        if buffer.text.isEmpty { editor.setWords(session.words()) }
      }
    }
  }

  private func runScript(_ session: ShellSession) throws {
    var buffer = StatementBuffer()
    while !session.isEnded, let line = readLine() {
      try add(line, to: &buffer, session) { _ in }
    }
    if !buffer.isEmpty, !session.isEnded { try session.run(buffer.take()) }
    if session.hasFailed { throw ExitCode.error }
  }

  /// Adds a line, and runs the command or the complete statements.
  private func add(
    _ line: String, to buffer: inout StatementBuffer, _ session: ShellSession,
    _ remember: (String) -> Void
  ) throws {
    if buffer.isEmpty {
      let command = line.trimmingCharacters(in: .whitespaces)
      if command.isEmpty { return }
      if command.hasPrefix(".") {
        remember(command)
        return try session.command(command)
      }
    }
    if let sql = buffer.add(line) {
      remember(sql)
      try session.run(sql)
    }
  }

  private static var historyPath: String {
    ProcessInfo.processInfo.environment["HOLT_HISTORY"]
      ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".holt_history").path(
        percentEncoded: false)
  }
}
