internal import Dispatch
internal import Foundation

/// The folder of a rule, with a document directory and a bundle.
struct Workspace: Sendable {
  let root: String
  var documents: String { "\(root)/documents" }
  var bundle: String { "\(root)/bundle" }

  init(in folder: String?) throws {
    let parent = folder ?? FileManager.default.temporaryDirectory.path
    root = "\(parent)/holt-provider-\(UUID().uuidString)"
    for path in [documents, bundle] {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true)
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: root) }

  // MARK: Files

  /// The state that shows whether a file was modified.
  struct FileState: Equatable, CustomStringConvertible {
    let bytes: [UInt8]
    let modified: Double
    let number: Int

    var description: String { "\(bytes.count) bytes of \(modified) in file \(number)" }
  }

  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  func bytes(of path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  func state(of path: String) throws -> FileState {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let modified = attributes[.modificationDate] as? Date
    return FileState(
      bytes: try bytes(of: path), modified: modified?.timeIntervalSince1970 ?? 0,
      number: attributes[.systemFileNumber] as? Int ?? 0)
  }

  /// Sets a file's modification time back by an hour, so that a write is noticeable.
  func backdate(_ path: String) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3_600)], ofItemAtPath: path)
  }

  func delete(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

  func move(_ path: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: path, toPath: other)
  }

  func copy(_ path: String, to other: String) throws {
    try FileManager.default.copyItem(atPath: path, toPath: other)
  }

  func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func makeLink(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  /// Returns the target of a symbolic link; `nil` if the path is not a link.
  func target(of path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }

  func permissions(of path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? 0
  }

  func setPermissions(_ permissions: Int, of path: String) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: permissions], ofItemAtPath: path)
  }

  /// Returns the names of all files in a folder.
  func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }
}

/// Calls `body` concurrently with each number, and waits for all calls.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  DispatchQueue.concurrentPerform(iterations: count, execute: body)
}

/// A date with milliseconds, for date columns.
let sampleDate = Date(timeIntervalSince1970: 1_700_000_000.125)
let sampleUUID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
let sampleData = Data([0, 255, 1])
