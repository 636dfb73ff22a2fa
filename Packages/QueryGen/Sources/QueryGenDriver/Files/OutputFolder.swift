internal import Foundation
internal import SwiftEmitter

/// The folder for generated files.
///
/// No file is written before all of them are known. Each file is then replaced atomically, so that
/// a reader finds either its old or its new contents. Unchanged files are not written, so that they
/// are not compiled again.
struct OutputFolder {
  var path: String

  struct Changes {
    var written: [String] = []
    var removed: [String] = []
    var unchanged: [String] = []
  }

  /// Writes `files` to the folder, and removes other files that were generated earlier.
  func write(_ files: [GeneratedFile]) throws(FileFailure) -> Changes {
    var changes = Changes()
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw FileFailure(
        .unwritableFile, path: path, message: "the folder can't be created: \(reason(error))")
    }
    let pending = files.filter { file in
      let isNew = FileManager.default.contents(atPath: place(file.name)) != Data(file.text.utf8)
      if !isNew { changes.unchanged.append(file.name) }
      return isNew
    }
    for file in pending {
      do {
        try Data(file.text.utf8).write(to: URL(filePath: place(file.name)), options: .atomic)
      } catch {
        throw FileFailure(
          .unwritableFile, path: place(file.name), message: "can't be written: \(reason(error))")
      }
    }
    changes.written = pending.map(\.name)
    changes.removed = try removeStale(keeping: Set(files.map(\.name)))
    return changes
  }

  private func place(_ name: String) -> String { "\(path)/\(name)" }

  /// Removes generated files that are no longer in the project. Other files are kept.
  private func removeStale(keeping names: Set<String>) throws(FileFailure) -> [String] {
    let found = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let stale = found.sorted().filter { name in
      guard !names.contains(name),
        name.hasSuffix(".queries.swift") || name.hasSuffix(".generated.swift"),
        let data = FileManager.default.contents(atPath: place(name))
      else { return false }
      return data.starts(with: Data((GeneratedFile.header + "\n").utf8))
    }
    for name in stale {
      do {
        try FileManager.default.removeItem(atPath: place(name))
      } catch {
        throw FileFailure(
          .unwritableFile, path: place(name), message: "can't be removed: \(reason(error))")
      }
    }
    return stale
  }
}

/// Functions that read and write whole files.
enum TextFile {
  static func read(_ path: String) throws(FileFailure) -> [UInt8] {
    do {
      return [UInt8](try Data(contentsOf: URL(filePath: path)))
    } catch {
      throw FileFailure(.unreadableFile, path: path, message: "can't be read: \(reason(error))")
    }
  }

  /// Replaces a file atomically.
  static func write(_ bytes: [UInt8], to path: String) throws(FileFailure) {
    do {
      try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw FileFailure(
        .unwritableFile, path: path, message: "can't be written: \(reason(error))")
    }
  }
}
