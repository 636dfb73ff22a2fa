import ArgumentParser
import Foundation
import PostgreSQL
import Primitives
import SQLiteCore
import Terminal

extension Diff {
  /// Returns a source whose rows can be compared: a PostgreSQL database is copied into a temporary one.
  func staged(
    _ source: SourceArgument, _ temporaryFiles: TemporaryFiles
  ) async throws -> SourceArgument {
    guard source.isServer else { return source }
    return try await ServerSource(source, schema: schema).staged(temporaryFiles)
  }

  /// Compares the schemas of a PostgreSQL database and of another source.
  func compareWithServer(_ options: ReadingOptions) async throws {
    let out = Output(isPaged: !skipsPager && !json)
    let differs: Bool
    if old.isServer {
      let before = try await ServerSource(old, schema: schema).read().0
      let diff: ServerDiff
      if new.isServer {
        let after = try await ServerSource(new, schema: schema).read().0
        diff = ServerDiff(from: before, to: after)
      } else {
        var left = PortableSchema(postgreSQL: before, schema: schema, tables: [])
        let workspace = try Workspace([new], options)
        var right = try PortableSchema(sqlite: workspace.connection, tables: [])
        prepare(&left, &right)
        diff = ServerDiff(
          from: ServerCatalog(left, schema: schema), to: ServerCatalog(right, schema: schema))
      }
      differs = write(diff, out)
    } else {
      let workspace = try Workspace([old], options)
      var left = try PortableSchema(sqlite: workspace.connection, tables: [])
      let after = try await ServerSource(new, schema: schema).read().0
      var right = PortableSchema(postgreSQL: after, schema: schema, tables: [])
      prepare(&left, &right)
      var options = SchemaDiff.Options()
      options.configuration = .preservingSettings
      differs = write(
        try SchemaDiff(
          from: left.sqliteConnection().databaseSchema(),
          to: right.sqliteConnection().databaseSchema(), options: options), out)
    }
    try out.finish()
    if differs { throw ExitCode.found }
  }

  /// Reports the objects that the schemas do not have in common, and omits them.
  private func prepare(_ left: inout PortableSchema, _ right: inout PortableSchema) {
    left.removeInvalidForeignKeys()
    right.removeInvalidForeignKeys()
    for problem in left.problems + right.problems where !problem.isNote {
      StandardStream.error.write("not compared: \(problem.text)\n")
    }
  }

  /// - Returns: Whether the schemas differ.
  private func write(_ diff: ServerDiff, _ out: Output) -> Bool {
    guard json else {
      out.write(diff.text)
      return !diff.steps.isEmpty
    }
    for step in diff.steps {
      let line = JSONText.object([
        ("step", .text(step.kind)), ("object", .text(step.object)),
        ("explanation", .text(step.explanation)),
        ("sql", .array(step.statements.map(JSONText.text))),
        ("loses", .array(step.losses.map(JSONText.text))),
      ])
      out.write("\(line)\n")
    }
    return !diff.steps.isEmpty
  }
}
