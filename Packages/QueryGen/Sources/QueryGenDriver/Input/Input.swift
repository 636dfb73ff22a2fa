internal import Foundation
internal import QueryModel
internal import SQLSyntax

/// Everything that a run reads: the configuration, the files of SQL, and the lock of the migrations.
struct Input {
  var configuration = Configuration()
  var configurationFile: InputFile?
  var lock = MigrationLock()
  var lockFile: InputFile?
  /// The project's folder.
  var path: String
  var folder: InputFolder
  var failures: [FileFailure] = []

  init(_ options: DriverOptions) {
    if let module = options.usualRuntimeModule { configuration.generation.runtimeModule = module }
    let isChosen = options.configuration != nil
    let file =
      options.configuration
      ?? Paths.join(options.path ?? ".", Configuration.fileName)
    var failures: [FileFailure] = []
    if isChosen || Self.exists(file) {
      do throws(FileFailure) {
        var found = try InputFile.read(
          path: file, name: Configuration.fileName, openFiles: options.openFiles)
        configuration = ConfigurationReader.read(&found, from: configuration)
        configurationFile = found
      } catch {
        failures.append(error)
      }
    }
    if options.usesFixedNames, let file = configurationFile?.path, configuration.movesFiles {
      failures.append(
        FileFailure(
          .invalidConfiguration, path: file,
          message:
            "in a build plugin, Migrations and Queries stand in the target's own folder: leave "
            + "out \"path\" and \"folders\""))
    }
    configuration.apply(options)
    // What a file says of paths is seen from where it is; what a command says, from where it is run.
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
    self.failures = failures
  }

  /// The folder of the migrations.
  var migrations: String { Paths.join(path, configuration.migrations) }

  /// The folder that generated files go to.
  func output(_ options: DriverOptions) -> String {
    options.output ?? Paths.join(path, configuration.output)
  }

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}

extension Configuration {
  /// Whether the files of SQL are elsewhere than they are by default.
  fileprivate var movesFiles: Bool {
    path != nil || migrations != "Migrations" || queries != "Queries"
  }

  /// What a command says counts before what the file says.
  fileprivate mutating func apply(_ options: DriverOptions) {
    if let name = options.databaseName { generation.databaseName = name }
    if let access = options.access { generation.access = access.modelled }
    if let module = options.runtimeModule { generation.runtimeModule = module }
  }
}
