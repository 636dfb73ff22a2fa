internal import SQLiteCore

/// Several to-one relations of a row, with a single target between them: a reference to rows of
/// different types.
///
/// ```swift
/// struct Note: Table {
///   enum Subject { case album(OneRelation<Album>), artist(OneRelation<Artist>) }
///   var id = 0
///   var text = ""
///   var album = OneRelation<Album>(onDelete: .cascade)
///   var artist = OneRelation<Artist>(onDelete: .cascade)
///   static let subjects = RelationAlternatives<Note, Subject>()
///     .or(\.album, Subject.album).or(\.artist, Subject.artist)
///   static var alternatives: [any AlternativeRelations] { [subjects] }
///   var subject: Subject? { Self.subjects[self] }
/// }
/// switch note.subject {
/// case .album(let album): show(try await album.object)
/// case .artist(let artist): show(try await artist.object)
/// case nil: break
/// }
/// Note.subjects.set(\.artist, artist, in: note)  // removes the album
/// try await notes.load { $0.with(\.album).with(\.artist) }
/// ```
///
/// A CHECK constraint of the table enforces the rule. If one relation is required, a row can't lose
/// its target: declare the relations with `onDelete: .cascade`, since with the default, `.setNull`,
/// the target can't be deleted.
public struct RelationAlternatives<Row: Table, Choice>: Sendable {
  private struct Alternative: Sendable {
    let property: ToOneProperty
    let relation: any PartialKeyPath<Row> & Sendable
    let isSet: @Sendable (Row) -> Bool
    let choice: @Sendable (Row) -> Choice
    let clear: @Sendable (Row) -> Void
  }

  private var all: [Alternative] = []
  /// A Boolean value that indicates whether exactly one relation must be set. Otherwise at most one
  /// may be set.
  public let isRequired: Bool

  public init(isRequired: Bool = true) { self.isRequired = isRequired }

  /// Returns the alternatives with one more relation.
  ///
  /// - Parameters:
  ///   - relation: The relation.
  ///   - choice: Wraps the relation in a `Choice`.
  public func or<Target: TableModel>(
    _ relation: any KeyPath<Row, OneRelation<Target>> & Sendable,
    _ choice: @escaping @Sendable (OneRelation<Target>) -> Choice
  ) -> RelationAlternatives {
    var result = self
    result.all.append(
      Alternative(
        property: ToOneProperty(relation), relation: relation,
        isSet: { row in
          let one = row[keyPath: relation]
          return one.key != nil || one._object != nil
        },
        choice: { choice($0[keyPath: relation]) },
        clear: { $0[keyPath: relation].key = nil }))
    return result
  }

  /// The relation that is set; `nil` if no relation is set.
  public subscript(row: Row) -> Choice? { all.first { $0.isSet(row) }?.choice(row) }

  /// Sets the target of one relation of a row, and removes the targets of the other relations.
  public func set<Target: TableModel>(
    _ relation: any KeyPath<Row, OneRelation<Target>> & Sendable, _ object: Target?, in row: Row
  ) {
    for alternative in all where alternative.relation != relation { alternative.clear(row) }
    row[keyPath: relation].set(object)
  }
}

/// ``RelationAlternatives`` of any kind, for the declaration of a table.
public protocol AlternativeRelations: Sendable {
  /// Returns the SQL condition that each row must fulfil.
  ///
  /// - Throws: ``RelationError`` if a relation is not a property of the table.
  func check() throws -> String
}

extension RelationAlternatives: AlternativeRelations {
  public func check() throws -> String {
    let set = try all.map { alternative in
      guard let column = try alternative.property.columns().first else {
        throw RelationError(
          .schemaMismatch, "a relation of the alternatives has no column", table: Row.tableName)
      }
      return "(\(SQLName.quoted(column)) IS NOT NULL)"
    }
    return "\(set.joined(separator: " + ")) \(isRequired ? "=" : "<=") 1"
  }
}
