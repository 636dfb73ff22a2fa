import Foundation
import QueryGen

/// A folder that is deleted with this object.
final class TemporaryFolder: Sendable {
  private let path: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "storage \(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path(percentEncoded: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }
}

extension Shelf {
  /// Calls a function with an empty database, in memory or in files.
  static func withSample(inFile: Bool, _ body: (Shelf) async throws -> Void) async throws {
    guard inFile else {
      return try await body(Shelf(attachments: ShelfAttachments(attic: .memory)))
    }
    let folder = try TemporaryFolder()
    let shelf = try await Shelf.open(
      path: folder.file("shelf.sqlite"),
      attachments: ShelfAttachments(attic: .file(folder.file("attic.sqlite"))))
    defer { shelf.database.close() }
    try await body(shelf)
  }
}
