import QueryModel

extension Projects {
  /// Columns with mapped types, and rows that contain tables.
  static let mapped = Project(
    tables: [track, album, credit, albumView],
    migrations: [MigrationDefinition(name: "1", sql: "CREATE TABLE album (id INTEGER)")],
    files: [QueryFile(name: "Music", queries: mappedQueries)])

  static let album = TableDefinition(
    name: "album", kind: .table,
    columns: [
      ColumnDefinition(
        name: "album_id", type: .blob, isNullable: false, declaredType: "BLOB",
        annotation: ColumnAnnotation(type: "UUID")),
      ColumnDefinition(
        name: "released", type: .integer, isNullable: true, documentation: "When it came out.",
        declaredType: "INTEGER", annotation: ColumnAnnotation(type: "Date")),
      ColumnDefinition(
        name: "tags", type: .text, isNullable: false, annotation: ColumnAnnotation(type: "[String]")
      ),
      ColumnDefinition(
        name: "medium", type: .text, isNullable: true,
        allowed: AllowedValues(
          .texts(["vinyl", "compact disc", "default", "", "\"#\\(1)\n", "Vinyl"]))),
      ColumnDefinition(
        name: "grade", type: .integer, isNullable: false,
        allowed: AllowedValues(.integers([-1, 2, 0]), names: ["low", "very_high", "init"])),
      ColumnDefinition(
        name: "discs", type: .integer, isNullable: false,
        allowed: AllowedValues(.integers([1, 2]))),
      ColumnDefinition(
        name: "price", type: .integer, isNullable: false,
        annotation: ColumnAnnotation(type: "Price", format: "CentsFormat")),
    ], primaryKey: ["album_id"])

  static let track = TableDefinition(
    name: "tracks", kind: .table,
    columns: [
      ColumnDefinition(name: "album", type: .blob, isNullable: false, declaredType: "BLOB"),
      ColumnDefinition(name: "number", type: .integer, isNullable: false),
      ColumnDefinition(name: "title", type: .text, isNullable: false, declaredType: "Track  Title"),
    ], primaryKey: ["album", "number"])

  /// All columns are nullable.
  private static let credit = TableDefinition(
    name: "credit", kind: .table,
    columns: [
      ColumnDefinition(name: "role", type: .text, isNullable: true),
      ColumnDefinition(name: "person", type: .text, isNullable: true),
    ], primaryKey: [])

  private static let albumView = TableDefinition(
    name: "cheap", kind: .view,
    columns: [
      ColumnDefinition(
        name: "medium", type: .text, isNullable: true,
        origins: [TableColumn(table: "album", column: "medium")])
    ], primaryKey: [])

  private static let medium = [TableColumn(table: "album", column: "medium")]
  private static let price = [TableColumn(table: "album", column: "price")]
  private static let released = [TableColumn(table: "album", column: "released")]

  private static let mappedQueries: [QueryDefinition] = [
    query(
      "albumsOn", "SELECT medium FROM album WHERE medium = ? AND price < ?",
      [
        ParameterDefinition(
          index: 1, name: "medium", type: .text, isNullable: true, origins: medium),
        ParameterDefinition(
          index: 2, name: "price", type: .integer, isNullable: false, origins: price),
      ],
      .columns([ColumnDefinition(name: "medium", type: .text, isNullable: true, origins: medium)]),
      .many),
    query("releases", "SELECT released FROM album", [], .columns([releasedColumn]), .many),
    query(
      "lastRelease", "SELECT max(released) FROM album", [], .columns([releasedColumn]), .one),
    query(
      "releaseOf", "SELECT released FROM album WHERE album_id = ?",
      [
        ParameterDefinition(
          index: 1, name: "id", type: .blob, isNullable: false,
          origins: [TableColumn(table: "album", column: "album_id")])
      ], .columns([releasedColumn]), .optional),
    query(
      "priceOf", "SELECT price FROM album WHERE price IN ?",
      [
        ParameterDefinition(
          index: 1, name: "prices", type: .integer, isNullable: false, isList: true,
          listRanges: [39..<40], origins: price)
      ],
      .columns([
        ColumnDefinition(name: "price", type: .integer, isNullable: false, origins: price)
      ]), .optional),
    query(
      "albumsAt", "SELECT price FROM album WHERE (medium, price) IN :places OR price = :limit",
      [
        ParameterDefinition(
          index: 1, name: "places", type: .any, isNullable: false, isList: true,
          columns: [
            ElementColumn(name: "medium", type: .text, isNullable: false, origins: medium),
            ElementColumn(name: "price", type: .integer, isNullable: false, origins: price),
          ], listRanges: [49..<56]),
        ParameterDefinition(
          index: 2, name: "limit", type: .integer, isNullable: false, ranges: [68..<74]),
      ],
      .columns([
        ColumnDefinition(name: "price", type: .integer, isNullable: false, origins: price)
      ]), .many),
    query(
      "addAlbum", "INSERT INTO album VALUES (?, ?)",
      [
        ParameterDefinition(
          index: 1, name: "released", type: .integer, isNullable: true, origins: released),
        ParameterDefinition(
          index: 2, name: "price", type: .integer, isNullable: false, origins: price),
      ], .none, .none, isReadOnly: false),
    query(
      "albumsAndTracks", "SELECT album.*, tracks.*, c.*, count(*) AS n FROM album", [],
      .fields([
        .table(EmbeddedTable(name: "album", table: "album", isOptional: false)),
        .table(EmbeddedTable(name: "tracks", table: "tracks", isOptional: true)),
        .table(EmbeddedTable(name: "c", isAlias: true, table: "credit", isOptional: true)),
        .column(ColumnDefinition(name: "n", type: .integer, isNullable: false)),
      ]), .many),
    inserting("insertOne"),
    reading(
      "regionOfOne",
      [
        TableAccess(
          table: "album", columns: ["price", "medium"],
          rows: .all([
            .comparison(column: "medium", .equal, .parameter(1)),
            .any([
              .isNull(column: "price"), .comparison(column: "price", .less, .integer(-3)),
              .isIn(column: "price", [.parameter(2), .real(0.5)]),
            ]),
          ])),
        TableAccess(table: "credit", columns: []),
        TableAccess(
          table: "tracks", columns: [],
          rows: .isIn(column: "title", [.text("a \"b\""), .blob([1, 255])])),
      ],
      [
        ParameterDefinition(
          index: 1, name: "medium", type: .text, isNullable: false, origins: medium),
        ParameterDefinition(
          index: 2, name: "price", type: .integer, isNullable: false, origins: price),
      ]),
    reading(
      "regionOfSome",
      [TableAccess(table: "credit", columns: ["role"], rows: .isNotNull(column: "role"))], []),
    nested(
      "albumWithTracks",
      [
        .table(EmbeddedTable(name: "album", table: "album", isOptional: false)),
        .table(EmbeddedTable(name: "tracks", table: "tracks", isOptional: true)),
      ], [NestedList(name: "", columns: ["tracks"])], .optional),
    nested(
      "mediumsWithTitles",
      [
        .column(ColumnDefinition(name: "medium", type: .text, isNullable: true, origins: medium)),
        .column(ColumnDefinition(name: "year", type: .integer, isNullable: false)),
        .column(
          ColumnDefinition(
            name: "title", type: .text, isNullable: true,
            outerJoined: OuterJoinInfo(source: 7, isCertain: false))),
        .column(
          ColumnDefinition(
            name: "number", type: .integer, isNullable: true,
            origins: [TableColumn(table: "tracks", column: "number")],
            outerJoined: OuterJoinInfo(source: 7, isCertain: true))),
        .column(ColumnDefinition(name: "role", type: .text, isNullable: true)),
      ],
      [
        NestedList(name: "tracks", columns: ["title", "number"]),
        NestedList(name: "roles", columns: ["role"]),
      ], .many),
    nested(
      "yearsWithCredits",
      [
        .column(ColumnDefinition(name: "year", type: .integer, isNullable: false)),
        .column(
          ColumnDefinition(
            name: "title", type: .text, isNullable: true,
            outerJoined: OuterJoinInfo(source: 7, isCertain: true))),
        .column(
          ColumnDefinition(
            name: "role", type: .text, isNullable: true,
            outerJoined: OuterJoinInfo(source: 8, isCertain: true))),
      ], [NestedList(name: "credits", columns: ["title", "role"])], .many),
    nested(
      "shelves",
      [
        .column(ColumnDefinition(name: "shelf", type: .text, isNullable: false)),
        .table(EmbeddedTable(name: "album", table: "album", isOptional: true)),
        .table(EmbeddedTable(name: "tracks", table: "tracks", isOptional: true)),
        .column(
          ColumnDefinition(
            name: "role", type: .text, isNullable: true,
            outerJoined: OuterJoinInfo(source: 9, isCertain: true))),
        .column(ColumnDefinition(name: "label", type: .text, isNullable: false)),
      ],
      [
        NestedList(
          name: "", columns: ["album"],
          lists: [
            NestedList(
              name: "songs", columns: ["tracks"],
              lists: [NestedList(name: "roles", columns: ["role"])])
          ]), NestedList(name: "labels", columns: ["label"]),
      ], .many),
    typed,
  ]

  /// A comment specifies the type of the computed column.
  private static var typed: QueryDefinition {
    var definition = query(
      "averages", "SELECT medium, avg(price) AS average FROM album WHERE price > ? GROUP BY medium",
      [ParameterDefinition(index: 1, name: "least", type: .integer, isNullable: false)],
      .columns([
        ColumnDefinition(name: "medium", type: .text, isNullable: true, origins: medium),
        ColumnDefinition(name: "Average", type: .real, isNullable: true),
      ]), .many)
    definition.columnTypes = [
      "average": ColumnAnnotation(type: "Price", format: "EuroFormat"),
      "medium": ColumnAnnotation(type: "Medium", format: "RawValue"),
    ]
    definition.parameterTypes = ["least": ColumnAnnotation(type: "Price", format: "CentsFormat")]
    return definition
  }

  private static let releasedColumn = ColumnDefinition(
    name: "released", type: .integer, isNullable: true, origins: released)

  private static func nested(
    _ name: String, _ fields: [ResultField], _ lists: [NestedList], _ cardinality: Cardinality
  ) -> QueryDefinition {
    var definition = query(name, "SELECT 1", [], .fields(fields), cardinality)
    definition.lists = lists
    return definition
  }

  private static func inserting(_ name: String) -> QueryDefinition {
    var definition = query(
      name, "INSERT INTO credit (role) VALUES (?)",
      [ParameterDefinition(index: 1, name: "role", type: .text, isNullable: true)],
      isReadOnly: false)
    definition.change = .lastRowID
    return definition
  }

  private static func reading(
    _ name: String, _ reads: [TableAccess], _ parameters: [ParameterDefinition]
  ) -> QueryDefinition {
    var definition = query(
      name, "SELECT 1 FROM album", parameters,
      .columns([ColumnDefinition(name: "1", type: .integer, isNullable: false)]), .many)
    definition.reads = reads
    return definition
  }

  /// All options.
  static let options = GenerationOptions(
    databaseName: "Music", access: .package, imports: ["Shop"], splitsTables: true,
    isCodable: true, types: ["TRACK TITLE": TypeMapping(type: "Title", coding: .rawValue)],
    tables: [
      "tracks": TableOptions(
        swiftName: "Song", isCodable: false,
        columns: [
          "album": ColumnOptions(mapping: TypeMapping(type: "Album.ID")),
          "number": ColumnOptions(swiftName: "position"),
        ])
    ],
    queries: [
      "albumsOn": QueryOptions(
        swiftName: "records", inputName: "RecordSearch",
        columns: ["medium": ColumnOptions(mapping: TypeMapping(type: "String"))],
        parameters: ["price": ColumnOptions(swiftName: "below")]),
      "albumsAndTracks": QueryOptions(
        rowName: "Shelf", columns: ["tracks": ColumnOptions(swiftName: "song")]),
    ])
}
