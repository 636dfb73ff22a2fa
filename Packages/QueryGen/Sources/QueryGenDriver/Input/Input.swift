internal import Foundation
internal import QueryModel
internal import SQLSyntax

/// The input of a run: the configuration, the SQL files, and the migration lock.
public struct Input: Sendable {
  public var configuration = ProjectConfiguration()
  public var configurationFile: InputFile?
  public var lock = MigrationLock()
  public var lockFile: InputFile?
  /// The plans that were recorded, if there are any.
  public var planLock: PlanLock?
  public var planLockFile: InputFile?
  /// The project's folder.
  public var path: String
  public var folder: InputFolder
  var failures: [FileFailure] = []

  public init(_ options: DriverOptions) {
    if let module = options.defaultRuntimeModule { configuration.generation.runtimeModule = module }
    let isChosen = options.configuration != nil
    let file =
      options.configuration
      ?? Paths.join(options.path ?? ".", ProjectConfiguration.fileName)
    var failures: [FileFailure] = []
    if isChosen || Self.exists(file) {
      do throws(FileFailure) {
        var found = try InputFile.read(
          path: file, name: ProjectConfiguration.fileName, openFiles: options.openFiles)
        configuration = ConfigurationReader.read(&found, from: configuration)
        configurationFile = found
      } catch {
        failures.append(error)
      }
    }
    if options.usesFixedFileNames, let file = configurationFile?.path, configuration.movesFiles {
      failures.append(
        FileFailure(
          .invalidConfiguration, path: file,
          message:
            "a build plugin reads Migrations and Queries from the target's own folder; remove "
            + "\"path\" and \"folders\""))
    }
    configuration.apply(options)
    // Paths in a file are relative to the file; paths in a command are relative to the current
    // folder.
    let base = isChosen ? Paths.folder(of: file) : options.path ?? "."
    if let path = options.path, isChosen {
      self.path = path
    } else {
      path = configuration.path.map { Paths.join(base, $0) } ?? base
    }
    folder = InputFolder(
      path: path, migrations: configuration.migrations, queries: configuration.queries,
      openFiles: options.openFiles)
    let lockPath = Paths.join(
      Paths.join(path, configuration.migrations), MigrationLock.fileName)
    if Self.exists(lockPath) {
      do throws(FileFailure) {
        var found = try InputFile.read(
          path: lockPath, name: MigrationLock.fileName, openFiles: options.openFiles)
        lock = MigrationLock(&found)
        lockFile = found
      } catch {
        failures.append(error)
      }
    }
    let planLockPath = Paths.join(path, PlanLock.fileName)
    if Self.exists(planLockPath) {
      do throws(FileFailure) {
        var found = try InputFile.read(
          path: planLockPath, name: PlanLock.fileName, openFiles: options.openFiles)
        planLock = PlanLock(&found)
        planLockFile = found
      } catch {
        failures.append(error)
      }
    }
    self.failures = failures
  }

  /// Creates the input of files that belong to no project.
  public init(folder: InputFolder) {
    self.folder = folder
    path = "."
  }

  /// The folder of the migrations.
  public var migrations: String { Paths.join(path, configuration.migrations) }

  /// Returns the folder for generated files.
  func output(_ options: DriverOptions) -> String {
    options.output ?? Paths.join(path, configuration.output)
  }

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}

extension ProjectConfiguration {
  /// Indicates whether the SQL files are outside their default folders.
  fileprivate var movesFiles: Bool {
    path != nil || migrations != "Migrations" || queries != "Queries"
  }

  /// Applies the command's options, which take precedence over the file's.
  fileprivate mutating func apply(_ options: DriverOptions) {
    if let name = options.databaseName { generation.databaseName = name }
    if let access = options.access { generation.access = access.modelAccess }
    if let module = options.runtimeModule { generation.runtimeModule = module }
  }
}

/// The files of a project's `Migrations/` and `Queries/` folders.
public struct InputFolder: Sendable {
  /// The migrations, in execution order.
  public var migrations: [InputFile] = []
  /// The query files, sorted by name.
  public var queries: [InputFile] = []
  public var failures: [FileFailure] = []
  private let openFiles: [String: [UInt8]]

  /// Reads the folders below `path`, and records files that can't be used.
  ///
  /// - Parameter openFiles: Contents to use instead of the files on disk, by path.
  init(
    path: String, migrations: String = "Migrations", queries: String = "Queries",
    openFiles: [String: [UInt8]] = [:]
  ) {
    self.openFiles = openFiles
    guard Self.isFolder(path) else {
      failures.append(FileFailure(.missingFolder, path: path, message: "the folder does not exist"))
      return
    }
    self.migrations = read(Paths.join(path, migrations), isDeep: false)
    self.queries = read(Paths.join(path, queries), isDeep: true)
    sortMigrations()
    rejectCollidingOutputs()
  }

  private mutating func read(_ folder: String, isDeep: Bool) -> [InputFile] {
    guard Self.isFolder(folder) else {
      failures.append(
        FileFailure(.missingFolder, path: folder, message: "the folder does not exist"))
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
    for name in names.including(openFiles, in: folder)
    where name.lowercased().hasSuffix(".sql") {
      let path = "\(folder)/\(name)"
      // Hidden files are ignored, as editors create such files.
      if name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) || Self.isFolder(path) {
        continue
      }
      if !isDeep, name.contains("/") {
        failures.append(
          FileFailure(
            .misplacedMigration, path: path,
            message: "a migration must be in the Migrations folder itself"))
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

  /// Rejects query files that would generate the same Swift file, including on case-insensitive
  /// disks.
  private mutating func rejectCollidingOutputs() {
    var first: [String: String] = [:]
    for file in queries {
      let key = file.name.replacing("/", with: "-").lowercased()
      if let earlier = first[key] {
        failures.append(
          FileFailure(
            .collidingFiles, path: file.path,
            message: "the file would generate the same Swift file as \(earlier)"))
      } else {
        first[key] = file.path
      }
    }
  }
}

extension [String] {
  /// Returns the sorted names, including the names of open files that are not on disk yet.
  fileprivate func including(_ openFiles: [String: [UInt8]], in folder: String) -> [String] {
    let new = openFiles.keys.filter { $0.hasPrefix(folder + "/") }
      .map { String($0.dropFirst(folder.utf8.count + 1)) }.filter { !contains($0) }
    return new.isEmpty ? self : (self + new).sorted()
  }
}

extension InputFolder {
  /// Creates a folder with a single file, which belongs to no project.
  public init(migrations: [InputFile], queries: [InputFile]) {
    self.migrations = migrations
    self.queries = queries
    openFiles = [:]
  }
}

extension InputFolder {
  /// Returns whether the path is a directory, following symbolic links.
  static func isFolder(_ path: String) -> Bool {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) != nil
      || (try? URL(filePath: path).resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true
  }
}
