internal import Foundation
internal import QueryModel
internal import SQLSyntax
internal import SwiftEmitter

/// A database of a target.
///
/// The target's own folder is a database, unless it contains neither migrations nor queries. So is
/// each folder directly in it that contains a `querygen.yaml`.
struct TargetDatabase {
  /// The name of the folder in the target's; `nil` for the target's own folder.
  var folder: String?
  var input: Input

  /// Reads the databases of a target, sorted by folder, the target's own folder first.
  static func all(_ options: DriverOptions) -> [TargetDatabase] {
    let root = Input(options)
    let others = folders(in: root.path).map { name in
      TargetDatabase(folder: name, input: Input(options.inFolder(name, of: root)))
    }
    var databases = others
    if isDatabase(root) || others.isEmpty {
      databases.insert(TargetDatabase(folder: nil, input: root), at: 0)
    } else if options.databaseName != nil {
      databases[0].input.failures.append(
        FileFailure(
          .invalidConfiguration, path: root.path,
          message: "several databases can't have one name; set \"database\" in each querygen.yaml"))
    }
    let paths = Set(databases.map { Paths.normalized($0.input.path) })
    for index in databases.indices {
      databases[index].input.findAttachments(in: paths, isPlugin: options.usesFixedFileNames)
    }
    return databases
  }

  /// Returns whether the target's own folder is a database. A configuration with errors may have
  /// named other folders.
  private static func isDatabase(_ root: Input) -> Bool {
    !root.failures.isEmpty || root.configurationFile?.diagnostics.hasErrors ?? false
      || InputFolder.isFolder(root.migrations) || InputFolder.isFolder(root.queries)
  }

  private static func folders(in path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted().filter { name in
      !name.hasPrefix(".")
        && Input.exists(Paths.join(Paths.join(path, name), ProjectConfiguration.fileName))
    }
  }

  /// Returns the failure of a command for one database, if its folder only contains the folders of
  /// several databases; otherwise `nil`.
  static func ambiguity(_ options: DriverOptions, _ root: Input) -> FileFailure? {
    guard !isDatabase(root) else { return nil }
    let names = folders(in: root.path)
    guard !names.isEmpty else { return nil }
    let paths = names.map { Paths.join(root.path, $0) }.joined(separator: ", ")
    return FileFailure(
      .missingFolder, path: root.path,
      message: "the folder contains no migrations, but databases; choose one with --path: \(paths)")
  }
}

extension DriverOptions {
  /// The options for each database of the target, so that it can be checked on its own.
  public var databases: [DriverOptions] {
    TargetDatabase.all(self).map { database in
      database.folder.map { inFolder($0, path: database.input.path) } ?? self
    }
  }

  /// Returns the options for a database in a folder of the target.
  fileprivate func inFolder(_ name: String, of root: Input) -> DriverOptions {
    inFolder(name, path: Paths.join(root.path, name))
  }

  private func inFolder(_ name: String, path: String) -> DriverOptions {
    var options = self
    options.path = path
    options.configuration = nil
    options.databaseName = nil
    return options
  }
}

extension Input {
  /// Determines which attached databases belong to the target, whose databases have the given paths.
  ///
  /// - Parameter isPlugin: Whether all of them must, since a build plugin reads only the files of its
  ///   target.
  fileprivate mutating func findAttachments(in paths: Set<String>, isPlugin: Bool) {
    for index in attachments.indices {
      attachments[index].isInTarget = paths.contains(attachments[index].input.path)
      guard isPlugin, !attachments[index].isInTarget else { continue }
      configurationFile?.diagnostics.append(
        Diagnostic(
          .unattachableDatabase, at: attachments[index].span,
          "a build plugin can only attach databases of the same target"))
    }
  }
}

extension TargetDatabase {
  /// The generated files of a database.
  struct Output {
    var database: TargetDatabase
    var files: [GeneratedFile]
  }

  /// Returns the folder for the generated files of all databases of a target, which belong to one
  /// module.
  static func output(_ options: DriverOptions, _ databases: [TargetDatabase]) -> String {
    if let root = databases.first, root.folder == nil { return root.input.output(options) }
    return Input(options).output(options)
  }

  /// Returns the name of a generated file, which is unique in the module.
  func fileName(of file: GeneratedFile) -> String {
    guard let folder, file.name.hasSuffix(GeneratedFile.queryFileName("")) else {
      return file.name
    }
    return "\(folder)-\(file.name)"
  }

  /// Returns the names that two databases of a module both use, for types or files.
  static func collisions(of outputs: [Output]) -> [FileFailure] {
    var failures: [FileFailure] = []
    var files: [String: String] = [:]
    var types: [String: String] = [:]
    for output in outputs {
      let path = output.database.input.path
      var reported: Set<String> = []
      for type in output.files.flatMap(\.declaredTypes) {
        guard let first = types.updateValue(path, forKey: type), first != path else { continue }
        reported.insert(GeneratedFile.databaseFileName(type))
        let isDatabase = type == output.database.input.configuration.generation.databaseName
        let key = isDatabase ? "`database`" : "a name for the table or query"
        failures.append(
          FileFailure(
            .collidingTypes, path: path,
            message: "the type `\(type)` is also generated for the database in \(first); set "
              + "\(key) in querygen.yaml"))
      }
      for file in output.files where !reported.contains(file.name) {
        guard let first = files.updateValue(path, forKey: file.name.lowercased()), first != path
        else { continue }
        failures.append(
          FileFailure(
            .collidingFiles, path: path,
            message: "the Swift file \(file.name) is also generated for the database in "
              + "\(first); rename the query file or the folder"))
      }
    }
    return failures
  }
}

extension Diagnostic.Identity {
  /// Two databases of a target generate a type with the same name.
  static let collidingTypes = Self(rawValue: "colliding-types")
}
