import Foundation
import Providers
import SQLiteCore
import Terminal

/// An opened source: its own database file, or a staging database with its tables.
struct OpenedFile {
  /// The schema name in SQL.
  var name: String
  /// The path given on the command line.
  let path: String
  let format: FileFormat
  /// The path of the database file.
  let database: String
  /// The provider that writes the tables back to the file; `nil` for a database.
  let provider: (any DataProvider)?

  /// Opens a source.
  ///
  /// - Parameters:
  ///   - temporaryFiles: The temporary files of the command.
  ///   - writes: Whether the file may be changed. If so, a missing file is treated as empty.
  ///   - checksDatabase: Whether to read the schema of a database, to detect errors of opening.
  ///   - newDatabase: The path of a new database for the tables; `nil` for a temporary file. A
  ///     source that is a database, a cached file or a pattern of several files is not loaded into it.
  /// - Throws: `ToolError`, `ProviderError` or `SQLiteError` if the file can't be opened.
  init(
    _ source: SourceArgument, _ options: ReadingOptions = ReadingOptions(),
    temporaryFiles: TemporaryFiles, writes: Bool, checksDatabase: Bool = true,
    loadingInto newDatabase: String? = nil
  ) throws {
    if source.isServer {
      throw ToolError(
        "this command can't use a PostgreSQL database",
        hint: "copy its tables into a file with `holt copy`")
    }
    if let pattern = FilePattern(source.path) {
      self = try FileUnion(pattern, source).opened(options, temporaryFiles, writes: writes)
      return
    }
    name = source.stem
    path = source.path
    let file = try Self.regularFile(source, options.format, temporaryFiles, writes: writes)
    format = try options.format ?? Self.format(of: file)
    guard !format.isDatabase else {
      database = file
      provider = nil
      if checksDatabase { try DatabaseFile.check(file, writes: writes) }
      return
    }
    let cache = options.usesCache && !writes && options.badRows != .skip ? try FileCache() : nil
    // The stem of the file is its table's name.
    let entry = try cache?.entry(
      for: file, format, options, tableName: source.name ?? SourceArgument(path: file).stem)
    if let cache, let entry, cache.contains(entry) {
      (database, self.provider) = (entry.path, nil)
      if format == .csv { try check(options) }
      return
    }
    let stagingPath = try newDatabase ?? temporaryFiles.newPath()
    let provider = format.provider(
      options, newDatabase == nil ? .file(stagingPath) : .newDatabase(stagingPath),
      tableName: source.name)
    do {
      if writes { try SourceSession.FileWriting.requireWritable(at: file) }
      try ActivityIndicator.showing("reading \(source.path)") {
        try provider.openSource(
          atPath: file, readOnly: !writes || source.isStandardInput || file != source.path)
      }
    } catch let error as ProviderError {
      throw error.renaming(to: source.isStandardInput ? "standard input" : source.path)
    }
    if let cache, let entry {
      try provider.closeSource()
      try cache.add(stagingPath, as: entry)
      (database, self.provider) = (entry.path, nil)
    } else {
      (database, self.provider) = (stagingPath, provider)
    }
    if format == .csv { try check(options) }
  }

  /// Creates an opened file whose tables are in a staging database.
  init(name: String, path: String, format: FileFormat, database: String) {
    (self.name, self.path, self.format, self.database) = (name, path, format, database)
    provider = nil
  }

  /// Checks a CSV file against its options, and reports its bad rows.
  private func check(_ options: ReadingOptions) throws {
    if let provider, options.badRows != .skip {
      return try provider.read { try check(options, $0) }
    }
    let connection = try Connection(
      path: database, configuration: options.badRows == .skip ? .staging : .reading)
    try check(options, connection)
  }

  private func check(_ options: ReadingOptions, _ connection: Connection) throws {
    guard let table = try connection.tables().first else { return }
    if options.requiresTypedColumns {
      for name in options.csv.columnTypes.keys.sorted() where table.column(named: name) == nil {
        throw ToolError(
          "the file has no column \(name), whose type is specified", file: path,
          hint: "its columns are \(table.columns.map(\.name).joined(separator: ", "))")
      }
    }
    guard options.badRows != .stop,
      let errors = try connection.tables().first(where: { $0.name.name.hasSuffix("_errors") })
    else { return }
    let name = SQLName.quoted(errors.name.name)
    let count = try connection.value(Int.self, "SELECT count(*) FROM \(unsafe: name)") ?? 0
    if count > 0 {
      let line = try connection.value(Int.self, "SELECT min(line) FROM \(unsafe: name)") ?? 0
      let place = options.badRows == .skip ? "skipped" : "collected in \(errors.name.name)"
      StandardStream.error.write(
        "note: \(path):\(line): \(count.counted("bad row")) \(place)\n")
    }
    if options.badRows == .skip { try connection.execute("DROP TABLE \(unsafe: name)") }
  }

  // MARK: Content

  /// Returns the path of a regular, decompressed file with the source's content. The content of a
  /// pipe is copied to a temporary file, since it can be read only once.
  private static func regularFile(
    _ source: SourceArgument, _ format: FileFormat?, _ temporaryFiles: TemporaryFiles, writes: Bool
  ) throws -> String {
    if source.isStandardInput {
      guard !StandardStream.input.isTerminal else {
        throw ToolError(
          "standard input is a terminal", hint: "pipe a file into it, or name a file instead of -"
        )
      }
      return try spool(.standardInput, source, format, temporaryFiles)
    }
    let attributes: [FileAttributeKey: Any]
    do {
      attributes = try Self.attributes(of: source.path)
    } catch {
      if writes, (format ?? FileFormat(path: source.path)) != nil { return source.path }
      throw ToolError("no such file", file: source.path)
    }
    switch attributes[.type] as? FileAttributeType {
    case .typeDirectory?: throw ToolError("the path is a folder, not a file", file: source.path)
    case .typeRegular?:
      guard let compression = Compression(beginning: try firstBytes(of: source.path)) else {
        return source.path
      }
      if writes {
        throw ToolError(
          "a compressed file can't be changed", file: source.path,
          hint: "decompress it, or write another file with `holt convert`")
      }
      let name = Compression.withoutExtension((source.path as NSString).lastPathComponent)
      return try decompressed(source.path, compression, source, named: name, temporaryFiles)
    default:
      return try spool(handle(reading: source.path), source, format, temporaryFiles)
    }
  }

  /// Copies the content of a pipe to a temporary file.
  private static func spool(
    _ handle: FileHandle, _ source: SourceArgument, _ format: FileFormat?,
    _ temporaryFiles: TemporaryFiles
  ) throws -> String {
    var path = try temporaryFiles.newPath()
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let copy = FileHandle(forWritingAtPath: path)
    else { throw ToolError("can't create a temporary file for the piped data", file: source.path) }
    do {
      defer { try? copy.close() }
      while let more = try handle.read(upToCount: 1 << 18), !more.isEmpty {
        try copy.write(contentsOf: more)
      }
    }
    if let compression = Compression(beginning: try firstBytes(of: path)) {
      path = try decompressed(path, compression, source, named: source.stem, temporaryFiles)
    }
    // The table is named after the file.
    let format = try format ?? FileFormat(beginning: firstBytes(of: path))
    let name = source.stem.replacing("/", with: "_")
    let folder = try temporaryFiles.newFolder()
    try FileManager.default.moveItem(
      atPath: path, toPath: "\(folder)/\(name).\(format.fileExtension)")
    return "\(folder)/\(name).\(format.fileExtension)"
  }

  private static func decompressed(
    _ path: String, _ compression: Compression, _ source: SourceArgument, named name: String,
    _ temporaryFiles: TemporaryFiles
  ) throws -> String {
    let output = "\(try temporaryFiles.newFolder())/\(name)"
    let shown = source.isStandardInput ? "standard input" : source.path
    try ActivityIndicator.showing("decompressing \(shown)") {
      try compression.decompress(path, to: output, shownAs: shown)
    }
    return output
  }

  /// Returns the attributes of the file to which a path leads, also through symbolic links.
  static func attributes(of path: String) throws -> [FileAttributeKey: Any] {
    try FileManager.default.attributesOfItem(
      atPath: URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false))
  }

  /// Opens a file for reading.
  ///
  /// - Parameter shownPath: The path that an error shows, if it is another one.
  /// - Throws: `ToolError` if the file can't be read.
  static func handle(reading path: String, shownAs shownPath: String? = nil) throws -> FileHandle {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw ToolError("the file can't be read", file: shownPath ?? path)
    }
    return handle
  }

  static func firstBytes(of path: String) throws -> [UInt8] {
    let handle = try handle(reading: path)
    defer { try? handle.close() }
    return [UInt8](try handle.read(upToCount: 4_096) ?? Data())
  }

  /// Returns a file's format. A database is recognized by its first bytes, another format by the
  /// extension or, if that is unknown, by the first bytes.
  static func format(of path: String) throws -> FileFormat {
    let named = FileFormat(path: path)
    if let named, !exists(path) { return named }
    let bytes = try firstBytes(of: path)
    let found = FileFormat(beginning: bytes)
    if found == .sqlite { return .sqlite }
    if named == .sqlite, !bytes.isEmpty {
      throw ToolError(
        "not an SQLite database", file: path, hint: "pass --format with the file's format")
    }
    return named ?? found
  }

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Checks that a path refers to a readable database, and returns the path.
  ///
  /// - Throws: `ToolError` if the file is missing or is not a database.
  static func database(_ path: String) throws -> String {
    guard exists(path) else { throw ToolError("no such file", file: path) }
    guard try format(of: path).isDatabase else {
      throw ToolError("not an SQLite database", file: path)
    }
    try DatabaseFile.check(path, writes: false)
    return path
  }
}

extension ProviderError {
  /// Returns the error with another file name.
  func renaming(to file: String) -> ProviderError {
    var error = self
    error.file = file
    return error
  }
}
