internal import Foundation
internal import SQLSyntax

extension Driver {
  /// Creates a sample project in a folder: a migration, queries and a configuration. The folder is
  /// created if it does not exist; existing files are never overwritten.
  ///
  /// - Returns: An outcome with the paths of the files that were created: not all if there are errors.
  public func initializeProject() -> Outcome {
    let path = options.path ?? "."
    let files = Self.sampleFiles.map { (path: Paths.join(path, $0.name), text: $0.text) }
    let taken =
      (Self.sampleFolders.map { Paths.join(path, $0) } + files.map(\.path)).filter(Input.exists)
    var outcome = Outcome(
      [],
      taken.prefix(1).map {
        FileFailure(
          .unwritableFile, path: $0,
          message: "the file or folder already exists; choose another folder")
      }, usesColor: options.usesColor)
    guard taken.isEmpty else { return outcome }
    do throws(FileFailure) {
      for folder in Self.sampleFolders { try makeFolder(Paths.join(path, folder)) }
      for file in files {
        try TextFile.write(Array(file.text.utf8), to: file.path)
        outcome.written.append(file.path)
      }
    } catch {
      outcome.add(error, usesColor: options.usesColor)
    }
    return outcome
  }

  private func makeFolder(_ path: String) throws(FileFailure) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw FileFailure(
        .unwritableFile, path: path, message: "the folder can't be created: \(reason(error))")
    }
  }
}

/// The project that `querygen init` creates.
extension Driver {
  private static let sampleFolders = ["Migrations", "Queries"]

  private static let sampleFiles: [(name: String, text: String)] = [
    (
      "Migrations/001_todo.sql",
      """
      -- A task.
      CREATE TABLE todo (
        id INTEGER PRIMARY KEY,
        title TEXT NOT NULL,
        -- The time of completion in seconds since 1970; NULL if the task is open.
        done_at INTEGER
      );

      CREATE INDEX todo_by_done_at ON todo (done_at);

      """
    ),
    (
      "Queries/Todo.sql",
      """
      -- The open tasks, oldest first.
      openTodos:
      SELECT * FROM todo WHERE done_at IS NULL ORDER BY id;

      -- Inserts a task, and returns its identifier.
      addTodo:
      INSERT INTO todo (title) VALUES (:title) RETURNING id;

      finishTodos:
      UPDATE todo SET done_at = :time WHERE id IN :ids;

      """
    ),
    (
      ProjectConfiguration.fileName,
      """
      # Settings for the code that querygen generates. All of them are optional.
      database: DB
      access: internal

      # Swift types by declared column type, or for a single column:
      # types: { DATETIME: Date }
      # tables:
      #   todo:
      #     name: Todo
      #     columns: { tags: { type: "[String]", as: json } }

      format:
        keywords: upper
        width: 100

      """
    ),
  ]
}
