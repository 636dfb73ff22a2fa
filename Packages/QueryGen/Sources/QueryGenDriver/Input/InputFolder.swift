internal import Foundation
internal import SQLSyntax

/// What is wrong with a file or a folder as a whole.
struct FileFailure: Error, Hashable {
  var path: String
  var message: String
  /// Whether the rest can be used all the same.
  var isWarning = false
}

/// The files of a project: what `Migrations/` and `Queries/` hold.
struct InputFolder {
  /// In the order in which they run.
  var migrations: [InputFile] = []
  /// Sorted by their names.
  var queries: [InputFile] = []
  var failures: [FileFailure] = []

  /// Reads the folders below `path`, and notes whatever can't be used.
  init(path: String) {
    let root = path.hasSuffix("/") && path.count > 1 ? String(path.dropLast()) : path
    func below(_ name: String) -> String { root == "." ? name : "\(root)/\(name)" }
    guard isFolder(root) else {
      failures.append(FileFailure(path: root, message: "there is no such folder"))
      return
    }
    migrations = read(below("Migrations"), isDeep: false)
    queries = read(below("Queries"), isDeep: true)
    sortMigrations()
    refuseEqualOutputs()
  }

  private mutating func read(_ folder: String, isDeep: Bool) -> [InputFile] {
    guard isFolder(folder) else {
      failures.append(FileFailure(path: folder, message: "there is no such folder"))
      return []
    }
    let names: [String]
    do {
      names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
    } catch {
      failures.append(FileFailure(path: folder, message: "can't be read: \(reason(error))"))
      return []
    }
    var files: [InputFile] = []
    for name in names where name.lowercased().hasSuffix(".sql") {
      let path = "\(folder)/\(name)"
      // What a leading point hides from people is hidden from us: editors leave such files.
      if name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) || isFolder(path) {
        continue
      }
      if !isDeep, name.contains("/") {
        failures.append(
          FileFailure(path: path, message: "a migration must stand in Migrations itself"))
        continue
      }
      do {
        files.append(try InputFile.read(path: path, name: String(name.dropLast(4))))
      } catch {
        failures.append(error)
      }
    }
    return files
  }

  private mutating func sortMigrations() {
    let ordered = migrations.map { (number: MigrationNumber($0.name), file: $0) }.sorted { a, b in
      switch (a.number, b.number) {
      case (let a?, let b?) where a != b: a < b
      case (.some, .none): true
      case (.none, .some): false
      default: a.file.name < b.file.name
      }
    }
    for (earlier, later) in zip(ordered, ordered.dropFirst())
    where earlier.number != nil && earlier.number == later.number {
      failures.append(
        FileFailure(
          path: later.file.path,
          message: "the migration has the same number as \(earlier.file.path)"))
    }
    migrations = ordered.map(\.file)
  }

  /// Two query files must not make one Swift file, on disks that ignore case neither.
  private mutating func refuseEqualOutputs() {
    var first: [String: String] = [:]
    for file in queries {
      let key = file.name.replacing("/", with: "-").lowercased()
      if let earlier = first[key] {
        failures.append(
          FileFailure(
            path: file.path, message: "the file would make the same Swift file as \(earlier)"))
      } else {
        first[key] = file.path
      }
    }
  }
}

private func isFolder(_ path: String) -> Bool {
  // Asked by what the answer is needed for: a link to a folder is one.
  (try? FileManager.default.contentsOfDirectory(atPath: path)) != nil
    || (try? URL(filePath: path).resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true
}

/// A failure of the file system, in a few words.
func reason(_ error: any Error) -> String {
  let error = error as NSError
  let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
  if cause.domain == NSPOSIXErrorDomain, let code = POSIXErrorCode(rawValue: Int32(cause.code)) {
    switch code {
    case .EACCES, .EPERM: return "permission denied"
    case .ENOENT: return "no such file or folder"
    case .EISDIR: return "it is a folder"
    case .ENOTDIR: return "a part of the path is no folder"
    case .ENOSPC: return "the disk is full"
    case .EROFS: return "the disk is read-only"
    default: break
    }
  }
  switch (error as any Error as? CocoaError)?.code {
  case .fileNoSuchFile, .fileReadNoSuchFile: return "no such file or folder"
  case .fileReadNoPermission, .fileWriteNoPermission: return "permission denied"
  default: return error.localizedDescription
  }
}
