internal import SQLiteCore

/// Several to-one relations of a row, of which one is set: what a row refers to may be of several types.
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
/// Note.subjects.set(\.artist, artist, in: note)  // and album is none
/// try await notes.load { $0.with(\.album).with(\.artist) }
/// ```
///
/// The table has a CHECK that holds it. Where one has to be set, a row can't lose it: say `onDelete: .cascade` of the relations, since
/// with the usual `.setNull` the other can't be deleted.
public struct RelationAlternatives<Row: Table, Choice>: Sendable {
  private struct Alternative: Sendable {
    let property: ToOneProperty
    let relation: any PartialKeyPath<Row> & Sendable
    let isSet: @Sendable (Row) -> Bool
    let choice: @Sendable (Row) -> Choice
    let clear: @Sendable (Row) -> Void
  }

  private var all: [Alternative] = []
  /// Whether one has to be set: exactly one, where otherwise none may be.
  public let isRequired: Bool

  public init(isRequired: Bool = true) { self.isRequired = isRequired }

  /// With one relation more.
  ///
  /// - Parameters:
  ///   - relation: The relation.
  ///   - choice: What it makes of it.
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

  /// The relation that is set; `nil` where none is.
  public subscript(row: Row) -> Choice? { all.first { $0.isSet(row) }?.choice(row) }

  /// Has one relation of a row lead to another row, and the others to none.
  public func set<Target: TableModel>(
    _ relation: any KeyPath<Row, OneRelation<Target>> & Sendable, _ object: Target?, in row: Row
  ) {
    for alternative in all where alternative.relation != relation { alternative.clear(row) }
    row[keyPath: relation].set(object)
  }
}

/// ``RelationAlternatives`` of any kind, as a table declares them.
public protocol AlternativeRelations: Sendable {
  /// The condition that rows fulfil, in SQL.
  ///
  /// - Throws: ``RelationError`` where the relations are no properties of the table.
  func check() throws -> String
}

extension RelationAlternatives: AlternativeRelations {
  public func check() throws -> String {
    let set = try all.map { alternative in
      guard let column = try alternative.property.columns().first else {
        throw RelationError(
          .schemaMismatch, "an alternative has no column", table: Row.tableName)
      }
      return "(\(SQLName.quoted(column)) IS NOT NULL)"
    }
    return "\(set.joined(separator: " + ")) \(isRequired ? "=" : "<=") 1"
  }
}
