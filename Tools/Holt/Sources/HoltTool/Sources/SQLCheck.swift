import Foundation
import Primitives
import SQLiteCore

/// Detects mistakes in SQL before large files are read in full.
///
/// Only mistakes that the whole files can't correct are reported: a column or a table of a JSON file
/// can appear at its end, but the columns of a CSV file are in its first record.
enum SQLCheck {
  /// The size of a file that is read in full without a check.
  private static let smallFileSize = 4 << 20
  private static let sampleSize = 1 << 20

  /// - Throws: `SQLiteError` for a statement that can't be compiled.
  static func run(_ sql: String, _ sources: [SourceArgument], _ options: ReadingOptions) throws {
    try checkSyntax(sql)
    let temporaryFiles = TemporaryFiles()
    var options = options
    // Errors and notes about the files follow when they are read in full.
    options.requiresTypedColumns = false
    options.badRows = .stop
    options.usesCache = false
    guard let samples = try? samples(of: sources, options, temporaryFiles) else { return }
    // A failure to read the samples is no mistake in the SQL. The files' own errors follow.
    guard let workspace = try? Workspace(samples, options) else { return }
    do {
      try workspace.connection.forEachStatement(in: SQL(unsafe: sql)) { statement in
        if changesNames(statement.sql) { throw ChangesNames() }
      }
    } catch let error as SQLiteError where error.code.primary == .error {
      throw error
    } catch {}
  }

  /// Thrown at a statement after which the names in the files are unknown.
  private struct ChangesNames: Error {}

  private static func changesNames(_ sql: String) -> Bool {
    let tokens = SQLTokens(sql)
    return ["CREATE", "ALTER", "DROP", "ATTACH", "DETACH", "PRAGMA"].contains {
      tokens.is(0, $0)
    }
  }

  // MARK: Syntax

  private static func checkSyntax(_ sql: String) throws {
    let connection = try Connection.inMemory(configuration: .preservingSettings)
    do {
      try connection.forEachStatement(in: SQL(unsafe: sql)) { _ in }
    } catch let error as SQLiteError where isSyntaxError(error) {
      throw error
    } catch {
      // The names are unknown.
    }
  }

  private static func isSyntaxError(_ error: SQLiteError) -> Bool {
    error.code.primary == .error
      && ["syntax error", "incomplete input", "unrecognized token"].contains {
        error.message.contains($0)
      }
  }

  // MARK: Samples

  /// Returns the sources, with a file that contains the beginning instead of each large file; `nil`
  /// if there is no large file, or if the columns of one are not known at its beginning.
  private static func samples(
    of sources: [SourceArgument], _ options: ReadingOptions, _ temporaryFiles: TemporaryFiles
  ) throws -> [SourceArgument]? {
    var samples: [SourceArgument] = []
    var hasLargeFile = false
    for source in sources {
      guard !source.isStandardInput, let size = size(of: source.path) else { return nil }
      guard size > smallFileSize else {
        samples.append(source)
        continue
      }
      switch try options.format ?? OpenedFile.format(of: source.path) {
      case .sqlite: samples.append(source)
      case .csv:
        hasLargeFile = true
        guard let path = try sample(of: source, options, temporaryFiles) else { return nil }
        samples.append(SourceArgument(name: source.name, path: path))
      case .json, .jsonl, .xml, .spon: return nil
      }
    }
    return hasLargeFile ? samples : nil
  }

  /// Returns the size of a regular file.
  private static func size(of path: String) -> Int? {
    let attributes = try? OpenedFile.attributes(of: path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular else { return nil }
    return attributes?[.size] as? Int
  }

  /// Writes the first records of a CSV file to a file with the same name.
  private static func sample(
    of source: SourceArgument, _ options: ReadingOptions, _ temporaryFiles: TemporaryFiles
  ) throws -> String? {
    guard let handle = FileHandle(forReadingAtPath: source.path) else { return nil }
    defer { try? handle.close() }
    var bytes = try handle.read(upToCount: sampleSize) ?? Data()
    let folder = try temporaryFiles.newFolder()
    let path = "\(folder)/\((source.path as NSString).lastPathComponent)"
    // A line break can be within a field; then the sample ends earlier.
    while let end = bytes.lastIndex(of: 0x0A) {
      bytes = bytes[..<end]
      try bytes.write(to: URL(filePath: path))
      let sample = SourceArgument(name: source.name, path: path)
      if (try? Workspace([sample], options)) != nil { return path }
      bytes = bytes.prefix(bytes.count / 2)
    }
    return nil
  }
}
