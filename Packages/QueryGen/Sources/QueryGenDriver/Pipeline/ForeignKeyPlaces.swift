internal import Primitives
internal import SQLSemantics
internal import SQLSyntax

/// The positions of the foreign keys in the migrations, to report those that SQLite can't check. The
/// referenced table may be created by a later migration, so they are checked after the last one.
struct ForeignKeyPlaces {
  private struct Place {
    let table: String
    let reference: ForeignKeyReference
    /// The index of the migration.
    let file: Int
  }

  private var places: [Place] = []

  /// Adds the foreign keys that a statement of a migration creates.
  mutating func add(_ statement: Statement, file: Int) {
    switch statement {
    case .createTable(let node):
      guard case .definition(let definition) = node.body else { return }
      for column in definition.columns { add(column.constraints, of: node.name, file: file) }
      for constraint in definition.constraints {
        guard case .foreignKey(_, let reference) = constraint.kind else { continue }
        places.append(Place(table: node.name.name.folded, reference: reference, file: file))
      }
    case .alterTable(let node):
      guard case .addColumn(let column) = node.action else { return }
      add(column.constraints, of: node.table, file: file)
    default: break
    }
  }

  private mutating func add(
    _ constraints: [ColumnConstraint], of table: QualifiedName, file: Int
  ) {
    for constraint in constraints {
      guard case .references(let reference) = constraint.kind else { continue }
      places.append(Place(table: table.name.folded, reference: reference, file: file))
    }
  }

  /// Returns the migration with a foreign key and the diagnostic for it, or `nil` if a rename changed
  /// the key.
  func diagnostic(_ broken: Catalog.BrokenObject, message: String) -> (Diagnostic, file: Int)? {
    guard let key = broken.foreignKey else { return nil }
    let matches = places.filter { place in
      place.reference.table.folded == key.parent
        && place.reference.columns.map(\.folded) == key.columns
    }
    let table = broken.name.asciiLowercased
    guard let place = matches.last(where: { $0.table == table }) ?? matches.last else { return nil }
    var diagnostic = Diagnostic(
      .foreignKey, severity: .warning, at: place.reference.span, message)
    if let suggestion = key.suggestion {
      let names = [place.reference.table] + place.reference.columns
      diagnostic.fixIt = names.last { $0.folded == suggestion.name }.map {
        Diagnostic.FixIt(replace: $0.span, with: suggestion.replacement)
      }
    }
    return (diagnostic, place.file)
  }
}
