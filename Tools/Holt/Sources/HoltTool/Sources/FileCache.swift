import Crypto
import Foundation
import Providers
import SQLiteCore

/// A cache of loaded files on disk, by their content and the options with which they were read.
///
/// The folder is `$HOLT_CACHE`, or `holt` in the user's cache folder. It can be removed at any time.
struct FileCache {
  private let folder: URL
  /// The size beyond which the entries that were not used for the longest time are removed.
  private static let maximumSize = 16 << 30
  /// Changes if the tables of a loaded file change.
  private static let version = 1

  /// - Throws: An error of the file system if the folder can't be created.
  init() throws {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["HOLT_CACHE"], !path.isEmpty {
      folder = URL(filePath: path, directoryHint: .isDirectory)
    } else if let path = environment["XDG_CACHE_HOME"], path.hasPrefix("/") {
      folder = URL(filePath: path).appending(path: "holt", directoryHint: .isDirectory)
    } else {
      folder = FileManager.default.homeDirectoryForCurrentUser.appending(
        path: ".cache/holt", directoryHint: .isDirectory)
    }
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// An entry, which may not exist yet.
  struct Entry {
    fileprivate let url: URL
    var path: String { url.path(percentEncoded: false) }
  }

  /// Returns the entry of a file.
  ///
  /// - Throws: `ToolError` if the file can't be read.
  func entry(
    for file: String, _ format: FileFormat, _ options: ReadingOptions, tableName: String
  ) throws -> Entry {
    let content = try Self.digest(of: file)
    let reading = [
      "\(Self.version)", format.rawValue, tableName, (file as NSString).pathExtension.lowercased(),
      options.cacheKey,
    ].joined(separator: "\u{0}")
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in reading.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Entry(url: folder.appending(path: "\(content)-\(Self.hexadecimal(hash)).sqlite"))
  }

  /// Returns the SHA-256 digest of a file's content.
  private static func digest(of file: String) throws -> String {
    let handle = try OpenedFile.handle(reading: file)
    defer { try? handle.close() }
    var hash = SHA256()
    do {
      while let piece = try handle.read(upToCount: 1 << 18), !piece.isEmpty {
        hash.update(data: piece)
      }
    } catch {
      throw ToolError("the file can't be read", file: file)
    }
    return hash.finalize().map { hexadecimal(UInt64($0), width: 2) }.joined()
  }

  private static func hexadecimal(_ number: UInt64, width: Int = 16) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: width - digits.count) + digits
  }

  /// Returns whether an entry exists and can be read, and records its use.
  func contains(_ entry: Entry) -> Bool {
    guard OpenedFile.exists(entry.path) else { return false }
    do {
      _ = try Connection(path: entry.path, configuration: .reading)
    } catch {
      try? FileManager.default.removeItem(at: entry.url)
      return false
    }
    try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: entry.path)
    return true
  }

  /// Moves a closed database into the cache.
  func add(_ database: String, as entry: Entry) throws {
    let temporary = folder.appending(path: ".\(UUID().uuidString)")
    try FileManager.default.moveItem(at: URL(filePath: database), to: temporary)
    do {
      let handle = try FileHandle(forUpdating: temporary)
      try handle.synchronize()
      try handle.close()
      // Another process may have added the same entry.
      if OpenedFile.exists(entry.path) { try FileManager.default.removeItem(at: entry.url) }
      try FileManager.default.moveItem(at: temporary, to: entry.url)
    } catch {
      try? FileManager.default.removeItem(at: temporary)
      throw error
    }
    removeOldEntries(except: entry)
  }

  private func removeOldEntries(except kept: Entry) {
    let keys: Set<URLResourceKey> = [.contentModificationDateKey, .fileSizeKey]
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: Array(keys))
    let entries = (files ?? []).compactMap { url -> (url: URL, date: Date, size: Int)? in
      guard let values = try? url.resourceValues(forKeys: keys),
        let date = values.contentModificationDate, let size = values.fileSize
      else { return nil }
      return (url, date, size)
    }
    var size = entries.reduce(0) { $0 + $1.size }
    for entry in entries.sorted(by: { $0.date < $1.date }) {
      let isRest =
        entry.url.lastPathComponent.hasPrefix(".") && entry.date.timeIntervalSinceNow < -86_400
      guard isRest || size > Self.maximumSize,
        entry.url.lastPathComponent != kept.url.lastPathComponent
      else { continue }
      try? FileManager.default.removeItem(at: entry.url)
      size -= entry.size
    }
  }
}

extension ReadingOptions {
  /// The options that influence a file's tables, as text.
  var cacheKey: String {
    let types = csv.columnTypes.map { "\($0.key)=\($0.value.rawValue)" }.sorted()
    var rest = csv
    rest.columnTypes = [:]
    return "\(rest)\u{0}\(types)\u{0}\(nesting)"
  }
}
