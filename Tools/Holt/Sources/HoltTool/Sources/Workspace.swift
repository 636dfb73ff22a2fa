import Foundation
import Providers
import SQLiteCore

/// A connection for queries on one or more sources.
///
/// A single source is the connection's `main` schema. Several sources are attached, each under its
/// own name; a table's unqualified name can be used if only one source contains the table.
final class Workspace {
  let connection: Connection
  private(set) var files: [OpenedFile]
  private let temporaryFiles: TemporaryFiles
  private let writes: Bool
  /// The file that is read in place, if it is not loaded.
  let tableInPlace: CSVFileTable?

  /// Opens sources.
  ///
  /// - Throws: `ToolError`, `ProviderError` or `SQLiteError` if a source can't be opened. In that
  ///   case, no file has been changed.
  init(
    _ sources: [SourceArgument], _ options: ReadingOptions = ReadingOptions(), writes: Bool = false
  ) throws {
    self.writes = writes
    tableInPlace = nil
    let temporaryFiles = TemporaryFiles()
    self.temporaryFiles = temporaryFiles
    guard sources.count(where: \.isStandardInput) <= 1 else {
      throw ToolError("standard input can be read only once: pass - once")
    }
    files = []
    if sources.count == 1 {
      guard !(writes && sources[0].isStandardInput) else {
        throw ToolError("standard input can't be written to")
      }
      let file = try OpenedFile(
        sources[0], options, temporaryFiles: temporaryFiles, writes: writes)
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
        "got \(sources.count) files, but SQLite can attach at most \(limit)",
        hint: "use `holt copy` to copy the files' tables into one database")
    }
    for source in sources {
      var file = try OpenedFile(
        source, options.forSeveralFiles(sources.count), temporaryFiles: temporaryFiles,
        writes: writes)
      file.name = Self.unusedName(file.name, besides: files.map(\.name))
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

  /// Opens a CSV file that is read in place: the database contains only its virtual table.
  init(_ table: CSVFileTable, _ source: SourceArgument) throws {
    writes = false
    tableInPlace = table
    temporaryFiles = TemporaryFiles()
    let database = try temporaryFiles.newPath()
    let schema = try Connection(
      path: database, configuration: Configuration.staging.registering(table))
    try table.create(in: schema)
    try schema.close()
    let file = OpenedFile(
      name: source.stem, path: source.path, format: .csv, database: database)
    files = [file]
    connection = try Connection(
      path: database, configuration: Configuration.reading.registering(table))
    try Self.attachUnderFileName(file, to: connection)
    try denyAttachingOtherFiles()
  }

  private static func configuration(_ file: OpenedFile, writes: Bool) throws -> Configuration {
    guard writes else { return .reading }
    return file.provider == nil ? .writing(file.database) : .staging
  }

  /// Attaches a read-only source a second time, under its own name.
  private static func attachUnderFileName(_ file: OpenedFile, to connection: Connection) throws {
    let name = unusedName(file.name, besides: [])
    do {
      try connection.attach(.file(file.database), as: name, isReadOnly: true)
    } catch {
      throw ToolError(error.message, file: file.path)
    }
  }

  /// Returns a name that no other schema has.
  private static func unusedName(_ name: String, besides taken: [String]) -> String {
    let taken = taken + ["main", "temp"]
    var (unused, number) = (name, 1)
    while taken.contains(where: { SQLName.isSame($0, unused) }) {
      number += 1
      unused = "\(name)_\(number)"
    }
    return unused
  }

  /// A Boolean value that indicates whether a statement failed because the rows of the file that is
  /// read in place contradict its first rows.
  var isContradicted: Bool { tableInPlace?.isContradicted ?? false }

  /// A Boolean value that indicates whether the only source is a database.
  var isDatabase: Bool { files.count == 1 && files[0].format.isDatabase }

  // MARK: Names

  /// Creates a temporary view for each table name that several files contain. Reading the view fails
  /// with an error that explains the ambiguity.
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
        "\(Failure.ambiguity)the table \(name) is in \(names.count) files: write "
        + names.joined(separator: " or ")
      try connection.execute(
        "CREATE TEMP VIEW \(identifier: name) AS SELECT * FROM \(identifier: reason)")
    }
  }

  /// Denies creating objects without a schema name, which would not be part of any file.
  private func denyUnqualifiedCreation() throws {
    // SQLITE_CREATE_INDEX, …TABLE, …TRIGGER, …VIEW, and a virtual table.
    let creating: Set<Int32> = [1, 2, 7, 8, 29]
    try connection.hooks.authorize { request in
      creating.contains(request.action) && request.schema == "main" && request.cause == nil
        ? .deny : .allow
    }
  }

  /// Denies SQL that opens or creates another file, unless files may be changed.
  private func denyAttachingOtherFiles() throws {
    guard !writes else { return }
    // SQLITE_ATTACH, which `VACUUM INTO` also requests.
    try connection.hooks.authorize { $0.action == 24 ? .deny : .allow }
  }

  /// Returns the tables with the given names, or all tables if no names are given.
  ///
  /// - Parameter file: The path that an error shows.
  /// - Throws: `ToolError` if there is no table with a name.
  func tables(named names: [String], in file: String) throws -> [TableSchema] {
    let all = try connection.tables()
    guard !names.isEmpty else { return all.filter { $0.kind == .table } }
    return try names.map { name in
      guard let table = all.first(where: { SQLName.isSame($0.name.name, name) }) else {
        throw ToolError(
          "no such table: \(name)", file: file,
          hint: "existing tables: \(all.map(\.name.name).joined(separator: ", "))")
      }
      return table
    }
  }

  // MARK: Writing

  /// Writes the changes of sources that are not databases to their files.
  ///
  /// - Returns: The paths of the written files.
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
    try? OpenedFile.attributes(of: path)[.systemFileNumber] as? Int
  }
}
