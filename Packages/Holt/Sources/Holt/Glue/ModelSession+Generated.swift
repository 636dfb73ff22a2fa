public import QueryGen
public import Relations

extension ModelSession {
  /// The models of a generated database: its structs are their rows, and its migrations alone make the tables.
  ///
  /// `querygen.yaml` makes the structs what models need: their properties are encoded as the columns are called, a column
  /// that refers to another table is a relation, and lists are further properties.
  ///
  /// ```yaml
  /// codable: true
  /// coding_keys: columns
  /// tables:
  ///   album:
  ///     properties: { tracks: 'ManyRelation<TrackModel> = ManyRelation(\.album)' }
  ///   track:
  ///     columns:
  ///       album_id: { name: album, type: OneRelation<AlbumModel>, holds_null: true }
  /// ```
  ///
  /// ```swift
  /// extension Album: Table {
  ///   static let tableName = "album"
  ///   init() { self.init(id: 0, title: "") }
  /// }
  ///
  /// final class AlbumModel: Model, @unchecked Sendable {
  ///   typealias Value = Album
  ///   var value: Album
  ///   init(_ value: Album) { self.value = value }
  /// }
  ///
  /// let session = ModelSession(try DB(path: path))
  /// let albums = try await session.fetchAll(AlbumModel.self, "ORDER BY title")
  /// try await albums.fetchAll(\.tracks)
  /// ```
  ///
  /// The tables are never changed: see `ModelSession.SchemaPolicy.verified`. Where a type differs from its table, whatever asks for its
  /// rows ends with `RelationError` of code `RelationError.Code.schemaMismatch`, which names the table and the column.
  ///
  /// - Parameter saveDelay: How long `Model.saveChangesLater(isolation:)` waits for more changes.
  public convenience init(_ db: some GeneratedDatabase, saveDelay: Duration = .seconds(3)) {
    self.init(db.database, schema: .verified, saveDelay: saveDelay)
  }
}
