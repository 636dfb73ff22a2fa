internal import Foundation
internal import SQLSyntax

/// What came of beginning a project.
public struct InitOutcome: Hashable, Sendable {
  /// What stands in the way; nothing was written then, or not all of it.
  public var outcome: Driver.Outcome
  /// The paths of the files that were made.
  public var written: [String] = []
}

extension Driver {
  /// Puts a small project into a folder: a migration, queries and a configuration. The folder is made
  /// where there is none; what is there already is never written over.
  public func begin() -> InitOutcome {
    let path = options.path ?? "."
    let files = Sample.files.map { (path: Paths.join(path, $0.name), text: $0.text) }
    let taken =
      (Sample.folders.map { Paths.join(path, $0) } + files.map(\.path)).filter(Input.exists)
    var outcome = InitOutcome(
      outcome: Outcome(
        [],
        taken.prefix(1).map {
          FileFailure(
            .unwritableFile, path: $0, message: "it is there already; a project begins without it")
        }, usesColor: options.usesColor))
    guard taken.isEmpty else { return outcome }
    do throws(FileFailure) {
      for folder in Sample.folders { try makeFolder(Paths.join(path, folder)) }
      for file in files {
        try TextFile.write(Array(file.text.utf8), to: file.path)
        outcome.written.append(file.path)
      }
    } catch {
      outcome.outcome.add(error, usesColor: options.usesColor)
    }
    return outcome
  }

  private func makeFolder(_ path: String) throws(FileFailure) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw FileFailure(
        .unwritableFile, path: path, message: "the folder can't be made: \(reason(error))")
    }
  }
}

/// The project that `querygen init` makes.
enum Sample {
  static let folders = ["Migrations", "Queries"]

  static let files: [(name: String, text: String)] = [
    (
      "Migrations/001_todo.sql",
      """
      -- Something to be done.
      CREATE TABLE todo (
        id INTEGER PRIMARY KEY,
        title TEXT NOT NULL,
        -- When it was done, in seconds since 1970; NULL where it was not yet.
        done_at INTEGER
      );

      CREATE INDEX todo_by_done_at ON todo (done_at);

      """
    ),
    (
      "Queries/Todo.sql",
      """
      -- What is still to be done, the oldest first.
      openTodos:
      SELECT * FROM todo WHERE done_at IS NULL ORDER BY id;

      -- Writes down something to do, and gives its number.
      addTodo:
      INSERT INTO todo (title) VALUES (:title) RETURNING id;

      finishTodos:
      UPDATE todo SET done_at = :time WHERE id IN :ids;

      """
    ),
    (
      Configuration.fileName,
      """
      # What querygen makes of Migrations and Queries. All of this may be left out.
      database: DB
      access: internal

      # Swift types for the columns' declared types, or for one column alone:
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
