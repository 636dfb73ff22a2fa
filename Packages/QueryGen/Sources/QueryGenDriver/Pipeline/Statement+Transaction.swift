internal import SQLSemantics
internal import SQLSyntax

extension Diagnostic.Identity {
  /// A `PRAGMA` in a migration that has no effect inside of a transaction.
  static let ignoredPragma = Self(rawValue: "ignored-pragma")
}

extension Statement {
  /// The diagnostic for a statement of a migration that ends its transaction, or that fails or has no
  /// effect inside of one.
  var diagnosticInTransaction: Diagnostic? {
    switch self {
    case .begin: prohibited("BEGIN")
    case .commit: prohibited("COMMIT")
    case .rollback(let node): node.savepoint == nil ? prohibited("ROLLBACK") : nil
    case .vacuum: prohibited("VACUUM")
    case .pragma(let node): diagnostic(of: node)
    default: nil
    }
  }

  private func prohibited(
    _ name: String, _ advice: String = "remove the statement"
  ) -> Diagnostic {
    Diagnostic(
      .prohibitedHere, at: span,
      "`\(name)` can't run in a migration, since a migration runs in its own transaction; \(advice)"
    )
  }

  /// See <https://www.sqlite.org/pragma.html>. `PRAGMA name` without a value only reads the setting.
  private func diagnostic(of node: Pragma) -> Diagnostic? {
    let name = node.name.name.folded
    switch name {
    case "wal_checkpoint":
      return prohibited("PRAGMA wal_checkpoint", "call checkpoint() after the migrations")
    case "synchronous" where node.value != nil:
      return prohibited("PRAGMA synchronous", "set Configuration.synchronous")
    default: break
    }
    guard node.value != nil, node.name.schema.map({ $0.folded == "main" }) ?? true else {
      return nil
    }
    switch name {
    case "foreign_keys":
      return ignored(
        name, "inside of one",
        "use PRAGMA defer_foreign_keys, or set Configuration.enforcesForeignKeys")
    case "journal_mode":
      return ignored(name, "inside of one, or fails", "set Configuration.journalMode")
    case "auto_vacuum", "page_size":
      return ignored(
        name, "inside of one", "set it with execute() before the first migration, or before VACUUM")
    case "encoding":
      return ignored(name, "once the file contains a table", "set it before the first migration")
    default: return nil
    }
  }

  private func ignored(_ name: String, _ when: String, _ advice: String) -> Diagnostic {
    Diagnostic(
      .ignoredPragma, severity: .warning, at: span,
      "a migration runs in its own transaction, and `PRAGMA \(name)` has no effect \(when); \(advice)"
    )
  }
}
