import CDatabaseLocks
import Foundation
import SQLiteCore

/// Reads a database without a write-ahead log whenever it has changed, without ever blocking a
/// program that writes to it.
///
/// SQLite's locks would make the commit of another program fail during a read. Instead, the file is
/// read without locks while it is unchanged, and a result is discarded if the file has changed
/// during the read.
struct UnlockedReader {
  let path: String
  private let configuration: Configuration
  private var observed: (version: Version, since: ContinuousClock.Instant)?
  private var read: Version?

  /// - Parameter configuration: The configuration of connections, which must be read-only.
  init(_ path: String, _ configuration: Configuration = .reading) {
    (self.path, self.configuration) = (path, configuration)
  }

  /// The version of a database file, and its files during a write.
  private struct Version: Equatable {
    var file: [String]
    var changeCounter: [UInt8]
    var hasJournal: Bool
    var hasLog: Bool
  }

  /// A time in which every file system records a change with a different modification time.
  private static let clockResolution = Duration.milliseconds(25)
  /// The time after which a journal without a writer is considered to be the remains of a crash.
  private static let recoveryDelay = Duration.seconds(1)

  /// Waits until the database has changed, and returns the result of `body`.
  ///
  /// - Throws: Any error that `body` throws; `ToolError` if the file can't be read or recovered;
  ///   `CancellationError`.
  mutating func next<Value>(_ body: (Connection) throws -> Value) async throws -> Value {
    while true {
      try Task.checkCancellation()
      let version = try currentVersion()
      if version != observed?.version { observed = (version, .now) }
      let age = observed.map { ContinuousClock.now - $0.since } ?? .zero
      if version.hasJournal, age > Self.recoveryDelay, try !isBeingWritten() {
        try DatabaseFile.check(path, writes: false)
        observed = nil
      } else if !version.hasJournal, version != read, age >= Self.clockResolution {
        let result = Result { try body(try connection(version)) }
        if try currentVersion() == version {
          read = version
          return try result.get()
        }
      }
      try await Task.sleep(
        for: version == read ? .milliseconds(100) : Self.clockResolution)
    }
  }

  private func connection(_ version: Version) throws -> Connection {
    // Reads of a write-ahead log don't block writers.
    if version.hasLog { return try Connection(path: path, configuration: configuration) }
    // A new connection each time, since SQLite does not check the cached pages of an immutable file.
    return try Connection(
      .uri(path: path, Database.URIParameters(isImmutable: true)), configuration: configuration)
  }

  private func isBeingWritten() throws -> Bool {
    let handle = try OpenedFile.handle(reading: path)
    defer { try? handle.close() }
    return holt_is_being_written(handle.fileDescriptor) != 0
  }

  private func currentVersion() throws -> Version {
    let handle = try OpenedFile.handle(reading: path)
    defer { try? handle.close() }
    // https://sqlite.org/fileformat2.html#the_database_header
    let header = try handle.read(upToCount: 100) ?? Data()
    return Version(
      file: Self.stamp(path), changeCounter: Array(header.dropFirst(24).prefix(4)),
      hasJournal: Self.hasContent("\(path)-journal"), hasLog: header.count > 18 && header[18] == 2)
  }

  private static func stamp(_ path: String) -> [String] {
    guard let attributes = try? OpenedFile.attributes(of: path) else { return [] }
    let keys: [FileAttributeKey] = [.size, .systemFileNumber, .modificationDate]
    return keys.map { key in
      let value = attributes[key]
      return (value as? Date).map { "\($0.timeIntervalSince1970)" } ?? "\(value ?? "")"
    }
  }

  /// Returns whether a journal belongs to a transaction. Some modes keep a journal after a commit,
  /// empty or with a header of zeros.
  private static func hasContent(_ path: String) -> Bool {
    guard let handle = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? handle.close() }
    return ((try? handle.read(upToCount: 8)) ?? nil)?.contains { $0 != 0 } ?? false
  }

  /// Returns whether a database has a write-ahead log, so that ordinary reads don't block writers.
  static func isUnnecessary(for path: String) throws -> Bool {
    try UnlockedReader(path).currentVersion().hasLog
  }
}
