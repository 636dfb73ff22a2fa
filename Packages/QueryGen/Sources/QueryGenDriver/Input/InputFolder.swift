internal import Foundation
internal import SQLSyntax

/// The files of a project: what `Migrations/` and `Queries/` hold.
struct InputFolder {
  /// In the order in which they run.
  var migrations: [InputFile] = []
  /// Sorted by their names.
  var queries: [InputFile] = []
  var failures: [FileFailure] = []
  private let openFiles: [String: [UInt8]]

  /// Reads the folders below `path`, and notes whatever can't be used.
  ///
  /// - Parameter openFiles: What counts in place of what is on the disk, by path.
  init(
    path: String, migrations: String = "Migrations", queries: String = "Queries",
    openFiles: [String: [UInt8]] = [:]
  ) {
    self.openFiles = openFiles
    guard Self.isFolder(path) else {
      failures.append(FileFailure(.missingFolder, path: path, message: "there is no such folder"))
      return
    }
    self.migrations = read(Paths.join(path, migrations), isDeep: false)
    self.queries = read(Paths.join(path, queries), isDeep: true)
    sortMigrations()
    refuseEqualOutputs()
  }

  private mutating func read(_ folder: String, isDeep: Bool) -> [InputFile] {
    guard Self.isFolder(folder) else {
      failures.append(
        FileFailure(.missingFolder, path: folder, message: "there is no such folder"))
      return []
    }
    let names: [String]
    do {
      names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
    } catch {
      failures.append(
        FileFailure(.unreadableFolder, path: folder, message: "can't be read: \(reason(error))"))
      return []
    }
    var files: [InputFile] = []
    for name in names where name.lowercased().hasSuffix(".sql") {
      let path = "\(folder)/\(name)"
      // What a leading point hides from people is hidden from us: editors leave such files.
      if name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) || Self.isFolder(path) {
        continue
      }
      if !isDeep, name.contains("/") {
        failures.append(
          FileFailure(
            .misplacedMigration, path: path,
            message: "a migration must stand in Migrations itself"))
        continue
      }
      do {
        files.append(
          try InputFile.read(path: path, name: String(name.dropLast(4)), openFiles: openFiles))
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
          .duplicateMigration, path: later.file.path,
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
            .collidingFiles, path: file.path,
            message: "the file would make the same Swift file as \(earlier)"))
      } else {
        first[key] = file.path
      }
    }
  }
}

extension InputFolder {
  /// Whether a folder is there, or a link to one: asked by what the answer is needed for.
  static func isFolder(_ path: String) -> Bool {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) != nil
      || (try? URL(filePath: path).resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true
  }
}
