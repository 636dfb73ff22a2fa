import Foundation
import Providers
import SQLiteCore
import Terminal

/// A source that is open: a database file that SQL can use, which is its own or made of its tables.
struct OpenedFile {
  /// What SQL calls it.
  var name: String
  /// The file as the command line names it.
  let path: String
  let format: FileFormat
  /// The database file.
  let database: String
  /// What writes the tables back to the file; `nil` for a database.
  let provider: (any DataProvider)?

  /// Opens a source.
  ///
  /// - Parameters:
  ///   - format: What it is; `nil` where that is found out.
  ///   - scratch: Where files go that are needed until the end.
  ///   - writes: Whether it may be changed: one that is not there then begins empty.
  /// - Throws: `ToolError`, `ProviderError` or `SQLiteError` of what is wrong in it.
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
    let mirror = try temporaryFiles.newPath()
    let provider = self.format.provider(.file(mirror))
    do {
      try ActivityIndicator.showing("reading \(source.path)") {
        try provider.openSource(
          atPath: file, readOnly: !writes || source.isStandardInput || file != source.path)
      }
    } catch let error as ProviderError where error.file == file && file != source.path {
      throw error.renaming(to: source.isStandardInput ? "standard input" : source.path)
    }
    database = mirror
    self.provider = provider
  }

  /// The path of a file that can be read more than once: what comes through a pipe is copied to one.
  private static func regularFile(
    _ source: SourceArgument, _ format: FileFormat?, _ temporaryFiles: TemporaryFiles, writes: Bool
  ) throws -> String {
    if source.isStandardInput {
      guard !StandardStream.input.isTerminal else {
        throw ToolError(
          "the standard input is a terminal", hint: "pipe a file into it, or name one in place of -"
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
      throw ToolError("there is no such file", file: source.path)
    }
    switch attributes[.type] as? FileAttributeType {
    case .typeDirectory?: throw ToolError("this is a folder, and no file", file: source.path)
    case .typeRegular?: return source.path
    default:
      guard let handle = FileHandle(forReadingAtPath: source.path) else {
        throw ToolError("it can't be read", file: source.path)
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
    // The table is called like the file.
    let name = source.stem.replacing("/", with: "_")
    let path = "\(folder)/\(name).\(format.fileExtension)"
    guard FileManager.default.createFile(atPath: path, contents: first),
      let copy = FileHandle(forWritingAtPath: path)
    else { throw ToolError("there is no room for what comes through the pipe", file: source.path) }
    defer { try? copy.close() }
    try copy.seekToEnd()
    while let more = try handle.read(upToCount: 1 << 18), !more.isEmpty {
      try copy.write(contentsOf: more)
    }
    return path
  }

  /// What a file is: a database by its first bytes, anything else by its name or by these.
  static func format(of path: String) throws -> FileFormat {
    let named = FileFormat(path: path)
    guard let handle = FileHandle(forReadingAtPath: path) else {
      if let named, !FileManager.default.fileExists(atPath: path) { return named }
      throw ToolError("it can't be read", file: path)
    }
    defer { try? handle.close() }
    let bytes = [UInt8](try handle.read(upToCount: 4_096) ?? Data())
    let found = FileFormat(beginning: bytes)
    if found == .sqlite { return .sqlite }
    if named == .sqlite, !bytes.isEmpty {
      throw ToolError(
        "this is no SQLite database", file: path, hint: "--format says what it is instead")
    }
    return named ?? found
  }

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Refuses a path of what is no database.
  static func database(_ path: String) throws -> String {
    guard exists(path) else { throw ToolError("there is no such file", file: path) }
    guard try format(of: path).isDatabase else {
      throw ToolError("this is no SQLite database", file: path)
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
  /// The same of a file that is known under another name.
  func renaming(to file: String) -> ProviderError {
    var error = self
    error.file = file
    return error
  }
}

/// Names for files that are needed until the end, in a folder that is made when the first one is asked for.
final class TemporaryFiles {
  private var folder: PrivateTemporaryDirectory?
  private var count = 0

  func newPath() throws -> String {
    let folder = try self.folder ?? PrivateTemporaryDirectory()
    self.folder = folder
    count += 1
    return "\(folder.path)\(folder.path.hasSuffix("/") ? "" : "/")\(count)"
  }
}
