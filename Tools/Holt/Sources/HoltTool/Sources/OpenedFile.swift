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
  ///   - format: The file's format; `nil` to detect it.
  ///   - temporaryFiles: The temporary files of the command.
  ///   - writes: Whether the file may be changed. If so, a missing file is treated as empty.
  /// - Throws: `ToolError`, `ProviderError` or `SQLiteError` if the file can't be opened.
  init(_ source: SourceArgument, format: FileFormat?, temporaryFiles: TemporaryFiles, writes: Bool)
    throws
  {
    name = source.stem
    path = source.path
    let file = try Self.regularFile(source, format, temporaryFiles, writes: writes)
    self.format = try format ?? Self.format(of: file)
    guard !self.format.isDatabase else {
      database = file
      provider = nil
      try Self.check(file, writes: writes)
      return
    }
    let stagingPath = try temporaryFiles.newPath()
    let provider = self.format.provider(.file(stagingPath))
    do {
      try ActivityIndicator.showing("reading \(source.path)") {
        try provider.openSource(
          atPath: file, readOnly: !writes || source.isStandardInput || file != source.path)
      }
    } catch let error as ProviderError where error.file == file && file != source.path {
      throw error.renaming(to: source.isStandardInput ? "standard input" : source.path)
    }
    database = stagingPath
    self.provider = provider
  }

  /// Returns the path of a regular file with the source's content. The content of a pipe is copied
  /// to a temporary file, since it can be read only once.
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
      attributes = try FileManager.default.attributesOfItem(
        atPath: URL(filePath: source.path).resolvingSymlinksInPath().path(percentEncoded: false))
    } catch {
      if writes, (format ?? FileFormat(path: source.path)) != nil { return source.path }
      throw ToolError("no such file", file: source.path)
    }
    switch attributes[.type] as? FileAttributeType {
    case .typeDirectory?: throw ToolError("the path is a folder, not a file", file: source.path)
    case .typeRegular?: return source.path
    default:
      guard let handle = FileHandle(forReadingAtPath: source.path) else {
        throw ToolError("the file can't be read", file: source.path)
      }
      return try spool(handle, source, format, temporaryFiles)
    }
  }

  private static func spool(
    _ handle: FileHandle, _ source: SourceArgument, _ format: FileFormat?,
    _ temporaryFiles: TemporaryFiles
  ) throws -> String {
    var first = Data()
    while first.count < 4_096, let more = try handle.read(upToCount: 1 << 16), !more.isEmpty {
      first.append(more)
    }
    let format = format ?? FileFormat(beginning: [UInt8](first.prefix(4_096)))
    let folder = try temporaryFiles.newPath()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // The table is named after the file.
    let name = source.stem.replacing("/", with: "_")
    let path = "\(folder)/\(name).\(format.fileExtension)"
    guard FileManager.default.createFile(atPath: path, contents: first),
      let copy = FileHandle(forWritingAtPath: path)
    else { throw ToolError("can't create a temporary file for the piped data", file: source.path) }
    defer { try? copy.close() }
    try copy.seekToEnd()
    while let more = try handle.read(upToCount: 1 << 18), !more.isEmpty {
      try copy.write(contentsOf: more)
    }
    return path
  }

  /// Returns a file's format. A database is recognized by its first bytes, another format by the
  /// extension or, if that is unknown, by the first bytes.
  static func format(of path: String) throws -> FileFormat {
    let named = FileFormat(path: path)
    guard let handle = FileHandle(forReadingAtPath: path) else {
      if let named, !FileManager.default.fileExists(atPath: path) { return named }
      throw ToolError("the file can't be read", file: path)
    }
    defer { try? handle.close() }
    let bytes = [UInt8](try handle.read(upToCount: 4_096) ?? Data())
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
    try check(path, writes: false)
    return path
  }

  private static func check(_ path: String, writes: Bool) throws {
    do {
      _ = try Connection(path: path, configuration: writes ? .writing(path) : .reading)
        .value(Int.self, "SELECT count(*) FROM sqlite_master")
    } catch let error as SQLiteError {
      throw ToolError(error.message, file: path)
    }
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
