/// The locations of the databases that a generated database's SQL uses in addition to its own, such
/// as `DBAttachments`.
///
/// The generated struct has a property for each of them, so that a missing location is an error of
/// the compiler:
///
/// ```swift
/// let attachments = DBAttachments(archive: .file("archive.sqlite"))
/// let db = try DB(path: "library.sqlite", attachments: attachments)
/// ```
///
/// Opening the database migrates them, and attaches them to each connection.
public protocol DatabaseAttachments: Sendable {
  /// The databases, in the order in which they are attached.
  var databases: [Queries.AttachedDatabase] { get }
}

/// The attachments of a database whose SQL needs none.
extension Never: DatabaseAttachments {
  public var databases: [Queries.AttachedDatabase] { [] }
}

extension Queries {
  /// A database that is attached to each connection of another.
  public struct AttachedDatabase: Sendable {
    /// The name of the schema, with which SQL qualifies its tables.
    public var name: String
    public var location: Database.Location
    /// The migrations that create its schema, in execution order.
    public var migrations: [Migration]

    public init(name: String, location: Database.Location, migrations: [Migration]) {
      self.name = name
      self.location = location
      self.migrations = migrations
    }
  }
}

extension Configuration {
  /// Returns a configuration whose connections are complete for a generated database: they have its
  /// functions, its attached databases and its temporary objects.
  ///
  /// A connection that can write first runs the migrations of the database and of the attached ones,
  /// since temporary triggers need their tables.
  func preparing<DB: GeneratedDatabase>(
    _ type: DB.Type, functions: DB.Functions?, attachments: DB.Attachments?
  ) -> Configuration {
    let own = functions.map { registering($0) } ?? self
    guard attachments != nil || !DB.temporaryScripts.isEmpty else { return own }
    var configuration = own
    configuration.prepare = { connection in
      try own.prepare?(connection)
      if !connection.configuration.isReadOnly { try connection.migrate(DB.migrations) }
      for database in attachments?.databases ?? [] {
        try connection.attach(database, configuration: own)
      }
      for script in DB.temporaryScripts { try connection.execute(script) }
    }
    return configuration
  }
}

extension Connection {
  /// Migrates a database, and attaches it.
  ///
  /// - Parameter configuration: The configuration of a connection that only migrates the database.
  fileprivate func attach(
    _ database: Queries.AttachedDatabase, configuration: Configuration
  ) throws {
    do {
      guard !self.configuration.isReadOnly else {
        return try attach(database.location, as: database.name)
      }
      let isPrivate = database.location == .memory || database.location == .temporary
      if isPrivate, try path() != nil {
        throw SQLiteError(
          code: .misuse,
          message: "a private in-memory database can't be attached to a file, whose connections "
            + "would not share it")
      }
      // Kept open while the database is attached, since shared memory exists as long as a connection.
      let other = try Connection(database.location, configuration: configuration)
      try other.migrate(database.migrations)
      try attach(database.location, as: database.name)
      if isPrivate { try other.backup(to: self, to: database.name) }
      try other.close()
    } catch let error as SQLiteError {
      throw error.addingContext("the attached database \(database.name)")
    }
  }
}
