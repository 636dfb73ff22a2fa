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
  /// The description of the queries by a PostgreSQL server, if it exists.
  var descriptionFile: InputFile?
  /// The project's folder.
  public var path: String
  public var folder: InputFolder
  /// The databases that are attached, in order.
  public var attachments: [AttachedInput] = []
  var failures: [FileFailure] = []

  public init(_ options: DriverOptions) { self.init(options, readsAttachments: true) }

  /// - Parameter readsAttachments: Whether the attached databases are read, without the databases that
  ///   are attached to them.
  init(_ options: DriverOptions, readsAttachments: Bool) {
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
            "a build plugin reads Migrations and Queries from the database's own folder; remove "
            + "\"path\" and \"folders\""))
    }
    if configuration.generation.engine != .sqlite {
      let standard = options.defaultRuntimeModule ?? DatabaseEngine.sqlite.runtimeModule
      if configuration.generation.runtimeModule == standard {
        configuration.generation.runtimeModule = configuration.generation.engine.runtimeModule
      }
      configuration.generation.hasDefaultTypes = false
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
      temporary: configuration.temporary, openFiles: options.openFiles)
    if configurationFile != nil, configuration.queries == "Queries" {
      let queries = Paths.join(path, configuration.queries)
      folder.failures.removeAll { $0.identity == .missingFolder && $0.path == queries }
    }
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
    if configuration.generation.engine == .postgresql, Self.exists(descriptionPath) {
      do throws(FileFailure) {
        descriptionFile = try InputFile.read(
          path: descriptionPath, name: PostgreSQLDescription.fileName,
          openFiles: options.openFiles)
      } catch {
        failures.append(error)
      }
    }
    self.failures = failures
    if readsAttachments, let file = configurationFile?.path {
      attachments = configuration.attachments.map { attachment in
        AttachedInput(attachment, relativeTo: Paths.folder(of: file), options)
      }
    }
  }

  /// Creates the input of files that belong to no project.
  public init(folder: InputFolder) {
    self.folder = folder
    path = "."
  }

  /// The folder of the migrations.
  public var migrations: String { Paths.join(path, configuration.migrations) }

  /// The folder of the scripts that create temporary objects.
  public var temporary: String { Paths.join(path, configuration.temporary) }

  /// The folder of the queries.
  public var queries: String { Paths.join(path, configuration.queries) }

  /// The path of the description of the queries by a PostgreSQL server.
  var descriptionPath: String { Paths.join(queries, PostgreSQLDescription.fileName) }

  /// Returns the folder for generated files.
  func output(_ options: DriverOptions) -> String {
    options.output ?? Paths.join(path, configuration.output)
  }

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}

extension ProjectConfiguration {
  /// Indicates whether the SQL files are outside their default folders.
  fileprivate var movesFiles: Bool {
    path != nil || migrations != "Migrations" || queries != "Queries" || temporary != "Temporary"
  }

  /// Applies the command's options, which take precedence over the file's.
  fileprivate mutating func apply(_ options: DriverOptions) {
    if let name = options.databaseName { generation.databaseName = name }
    if let access = options.access { generation.access = access.modelAccess }
    if let module = options.runtimeModule { generation.runtimeModule = module }
  }
}

/// A database that is attached to the connections of another.
public struct AttachedInput: Sendable {
  /// The name of the schema, and its span in the configuration.
  public var schema: String
  var span: ByteSpan
  /// The database's files. Only its migrations and its declared functions matter.
  public var input: Input
  /// Indicates whether the database's code is generated in the same module.
  public var isInTarget = false

  init(
    _ attachment: ProjectConfiguration.Attachment, relativeTo folder: String,
    _ options: DriverOptions
  ) {
    schema = attachment.schema
    span = attachment.span
    var own = DriverOptions(path: Paths.normalized(Paths.join(folder, attachment.folder)))
    own.openFiles = options.openFiles
    input = Input(own, readsAttachments: false)
    let queries = input.queries
    input.folder.failures.removeAll { $0.identity == .missingFolder && $0.path == queries }
  }

  /// Returns whether a change of the file at a path may affect the attached schema.
  public func contains(_ path: String) -> Bool {
    path == input.configurationFile?.path
      || [input.migrations, input.queries].contains { path.hasPrefix($0 + "/") }
  }
}

/// The files of a project's `Migrations/`, `Temporary/` and `Queries/` folders.
public struct InputFolder: Sendable {
  /// The migrations, in execution order, and after them the scripts that create temporary objects.
  public var scripts: [InputFile] = []
  /// The migrations, in execution order.
  public var migrations: [InputFile] { scripts.filter { !$0.isTemporary } }
  /// The query files, sorted by name.
  public var queries: [InputFile] = []
  public var failures: [FileFailure] = []
  /// All files, in the order in which they are reported.
  public var files: [InputFile] { scripts + queries }
  private let openFiles: [String: [UInt8]]

  /// Reads the folders below `path`, and records files that can't be used.
  ///
  /// - Parameter openFiles: Contents to use instead of the files on disk, by path.
  init(
    path: String, migrations: String = "Migrations", queries: String = "Queries",
    temporary: String = "Temporary", openFiles: [String: [UInt8]] = [:]
  ) {
    self.openFiles = openFiles
    guard Self.isFolder(path) else {
      failures.append(FileFailure(.missingFolder, path: path, message: "the folder does not exist"))
      return
    }
    scripts = sorted(read(Paths.join(path, migrations), isDeep: false))
    self.queries = read(Paths.join(path, queries), isDeep: true)
    let temporary = Paths.join(path, temporary)
    if Self.isFolder(temporary) {
      scripts += sorted(
        read(temporary, isDeep: false).map { file in
          var file = file
          file.isTemporary = true
          return file
        })
    }
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

  /// Returns scripts in execution order, and reports scripts with the same number.
  private mutating func sorted(_ scripts: [InputFile]) -> [InputFile] {
    let ordered = scripts.map { (number: MigrationNumber($0.name), file: $0) }.sorted { a, b in
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
    return ordered.map(\.file)
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
    scripts = migrations
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
