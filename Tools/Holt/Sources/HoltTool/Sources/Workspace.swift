import Foundation
import Providers
import SQLiteCore

/// Several sources in one connection, as schemas that SQL can use together.
///
/// One source is the connection's `main`. Several are attached, each by its name, and a table is called by its own name
/// alone where only one of them has it.
final class Workspace {
  let connection: Connection
  private(set) var files: [OpenedFile]
  private let temporaryFiles: TemporaryFiles
  private let writes: Bool

  /// Opens sources.
  ///
  /// - Parameter format: What they are; `nil` where each says by itself.
  /// - Throws: What is wrong in one of them. Nothing has changed then.
  init(_ sources: [SourceArgument], format: FileFormat? = nil, writes: Bool = false) throws {
    self.writes = writes
    let temporaryFiles = TemporaryFiles()
    self.temporaryFiles = temporaryFiles
    guard sources.count(where: \.isStandardInput) <= 1 else {
      throw ToolError("the standard input can be read once: - stands once")
    }
    files = []
    if sources.count == 1 {
      guard !(writes && sources[0].isStandardInput) else {
        throw ToolError("nothing can be written to the standard input")
      }
      let file = try OpenedFile(
        sources[0], format: format, temporaryFiles: temporaryFiles, writes: writes)
      files = [file]
      connection = try Connection(
        path: file.database, configuration: Self.configuration(file, writes: writes))
      if !writes { try Self.attachUnderFileName(file, to: connection) }
      try denyAttachingOtherFiles()
      return
    }
    connection = try Connection.inMemory(configuration: .preservingSettings)
    let limit = try connection.limit(.attachedCount)
    guard sources.count <= limit else {
      throw ToolError(
        "there are \(sources.count) files, and SQLite attaches \(limit) at most",
        hint: "`holt copy` brings tables of several files into one database")
    }
    for source in sources {
      var file = try OpenedFile(
        source, format: format, temporaryFiles: temporaryFiles, writes: writes)
      file.name = Self.free(file.name, besides: files.map(\.name))
      try connection.attach(
        .file(file.database), as: file.name, isReadOnly: !writes || source.isStandardInput)
      if file.provider != nil, writes {
        try connection.execute("PRAGMA \(identifier: file.name).journal_mode = MEMORY")
      }
      files.append(file)
    }
    try shadowAmbiguousNames()
    try denyUnqualifiedCreation()
    try denyAttachingOtherFiles()
  }

  private static func configuration(_ file: OpenedFile, writes: Bool) throws -> Configuration {
    guard writes else { return .reading }
    guard file.provider != nil else { return .writing(file.database) }
    var configuration = Configuration.preservingSettings
    configuration.journalMode = .delete
    configuration.synchronous = .off
    return configuration
  }

  /// The one source has its own name, too, as long as it is only read.
  private static func attachUnderFileName(_ file: OpenedFile, to connection: Connection) throws {
    let name = free(file.name, besides: [])
    do {
      try connection.attach(.file(file.database), as: name, isReadOnly: true)
    } catch {
      throw ToolError(error.message, file: file.path)
    }
  }

  /// A name that no other schema has.
  private static func free(_ name: String, besides taken: [String]) -> String {
    let taken = taken + ["main", "temp"]
    var (free, number) = (name, 1)
    while taken.contains(where: { SQLName.isSame($0, free) }) {
      number += 1
      free = "\(name)_\(number)"
    }
    return free
  }

  // MARK: Names

  /// What the name of a table that does not exist begins with, where it stands for one that several files have.
  static let ambiguity = "ambiguous: "

  /// Gives names that are those of tables in several files to views that can't be read, and say why.
  private func shadowAmbiguousNames() throws {
    var owners: [String: [(schema: String, name: String)]] = [:]
    for file in files {
      for table in try connection.tables(in: file.name) {
        owners[SQLName.folded(table.name.name), default: []].append((file.name, table.name.name))
      }
    }
    for (_, tables) in owners where tables.count > 1 {
      let names = tables.map { "\($0.schema).\($0.name)" }
      let name = tables[0].name
      let reason =
        "\(Self.ambiguity)the table \(name) is in \(names.count) files: write "
        + names.joined(separator: " or ")
      try connection.execute(
        "CREATE TEMP VIEW \(identifier: name) AS SELECT * FROM \(identifier: reason)")
    }
  }

  /// Refuses what would be made in no file, as the schema is not named.
  private func denyUnqualifiedCreation() throws {
    // SQLITE_CREATE_INDEX, …TABLE, …TRIGGER, …VIEW, and a virtual table.
    let creating: Set<Int32> = [1, 2, 7, 8, 29]
    try connection.hooks.authorize { request in
      creating.contains(request.action) && request.schema == "main" && request.cause == nil
        ? .deny : .allow
    }
  }

  /// Refuses SQL that opens or makes another file, unless files may be changed.
  private func denyAttachingOtherFiles() throws {
    guard !writes else { return }
    // SQLITE_ATTACH, which `VACUUM INTO` does, too.
    try connection.hooks.authorize { $0.action == 24 ? .deny : .allow }
  }

  // MARK: Writing

  /// Writes what was changed to files that are no databases.
  ///
  /// - Returns: The files that were written.
  func persist() throws -> [String] {
    var written: [String] = []
    for file in files {
      guard let provider = file.provider, writes, !provider.isReadOnly else { continue }
      let before = Self.identity(file.path)
      try ActivityIndicator.showing("writing \(file.path)") { try provider.persist() }
      if Self.identity(file.path) != before { written.append(file.path) }
    }
    return written
  }

  private static func identity(_ path: String) -> Int? {
    try? FileManager.default.attributesOfItem(
      atPath: URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false))[
        .systemFileNumber] as? Int
  }
}
