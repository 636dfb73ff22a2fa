internal import Foundation

/// The open SQL corpora, if they exist next to the repository.
public enum OpenCorpora {
  /// A Boolean value that indicates whether every case is run, as by `make corpora`. All of them
  /// take too long for a test run.
  public static let isWhole = ProcessInfo.processInfo.environment["HOLT_CORPORA"] == "all"

  /// The folder: in `HOLT_SHARED`, or `shared` next to a folder that contains this file.
  private static let folder: URL? = {
    var candidates: [URL] = []
    if let path = ProcessInfo.processInfo.environment["HOLT_SHARED"] {
      candidates.append(URL(filePath: path))
    }
    var folder = URL(filePath: #filePath).deletingLastPathComponent()
    while folder.path != "/" {
      candidates.append(folder.appending(path: "shared"))
      folder.deleteLastPathComponent()
    }
    return candidates.map { $0.appending(path: "corpora/sql") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  /// Returns one in `step` lines of a corpus; `nil`, with a message, if it does not exist or can't
  /// be unpacked.
  public static func lines(_ name: String, every step: Int) throws -> [[UInt8]]? {
    guard let file = folder?.appending(path: name), let data = try data(of: file) else {
      print("skipped: \(name) is not there, or can't be unpacked")
      return nil
    }
    let lines = data.split(separator: UInt8(ascii: "\n"))
    return stride(from: 0, to: lines.count, by: step).map { [UInt8](lines[$0]) }
  }

  private static func data(of file: URL) throws -> Data? {
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    guard file.pathExtension == "gz" else { return try Data(contentsOf: file) }
    let gunzip = ["/bin/gunzip", "/usr/bin/gunzip"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    guard let gunzip else { return nil }
    let process = Process()
    process.executableURL = URL(filePath: gunzip)
    process.arguments = ["-c", file.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    guard (try? process.run()) != nil else { return nil }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? data : nil
  }
}
