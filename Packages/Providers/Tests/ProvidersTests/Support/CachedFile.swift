import Foundation

/// A file in the page cache.
enum CachedFile {
  /// The number of kilobytes of a file that were written and not synced; `nil` if unknown.
  ///
  /// On Linux, the pages of a mapping are dirty as long as the file's content is not on the disk.
  static func unsyncedKilobytes(atPath path: String) throws -> Int? {
    guard FileManager.default.isReadableFile(atPath: "/proc/self/smaps") else { return nil }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    // Only pages that were read are counted.
    let sum = bytes.reduce(0) { $0 &+ Int($1) }
    let mappings = try withExtendedLifetime((bytes, sum)) {
      String(decoding: try readAll("/proc/self/smaps"), as: UTF8.self)
    }
    var isOfFile = false
    var count: Int?
    for line in mappings.split(separator: "\n") {
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      guard let first = words.first else { continue }
      if !first.hasSuffix(":") {
        isOfFile = line.hasSuffix(path)
      } else if isOfFile, first == "Private_Dirty:" || first == "Shared_Dirty:", words.count > 1 {
        count = (count ?? 0) + (Int(words[1]) ?? 0)
      }
    }
    return count
  }

  /// The bytes of a file of unknown size.
  private static func readAll(_ path: String) throws -> Data {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }
    return try file.readToEnd() ?? Data()
  }

  /// A Boolean value that indicates whether the system distinguishes synced files from others: a file system in memory
  /// does not.
  static let showsSync: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    let (written, synced) = ("\(folder.path)/written", "\(folder.path)/synced")
    let bytes = Data(repeating: 65, count: 20_000)
    do {
      for path in [written, synced] {
        try Data().write(to: URL(fileURLWithPath: path))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.write(contentsOf: bytes)
        if path == synced { try file.synchronize() }
        try file.close()
      }
      return try unsyncedKilobytes(atPath: written) ?? 0 > 0
        && unsyncedKilobytes(atPath: synced) == 0
    } catch {
      return false
    }
  }()
}
