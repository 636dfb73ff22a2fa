public import SQLiteCore

/// The database that queries read, and what a program's views may do with it.
///
/// ```swift
/// let free = DatabaseContext.readWrite { database }
/// let safe = DatabaseContext.readOnly { repository.reader }
/// ```
///
/// What opening the database throws is kept, and thrown again by each access.
public struct DatabaseContext: Sendable {
  private enum Access: Sendable {
    case notConnected
    case reading(Result<any DatabaseReader, any Error>)
    case writing(Result<any DatabaseWriter, any Error>)
  }

  private let access: Access

  /// A context without a database: each access throws ``DatabaseContextError/notConnected``.
  public static let notConnected = DatabaseContext(access: .notConnected)

  /// A context that reads and writes.
  ///
  /// - Parameter writer: Gives the database. It runs once, before this returns.
  public static func readWrite(_ writer: () throws -> any DatabaseWriter) -> DatabaseContext {
    DatabaseContext(access: .writing(Result { try writer() }))
  }

  /// A context that reads, even where its database could be written to.
  ///
  /// SQLite refuses what would write: its ``reader`` is a `ReadOnlyDatabase`.
  ///
  /// - Parameter reader: Gives the database. It runs once, before this returns.
  public static func readOnly(_ reader: () throws -> any DatabaseReader) -> DatabaseContext {
    DatabaseContext(access: .reading(Result { try reader().readOnly }))
  }

  /// What reads the database.
  ///
  /// - Throws: ``DatabaseContextError/notConnected``; what opening the database threw.
  public var reader: any DatabaseReader {
    get throws {
      switch access {
      case .notConnected: throw DatabaseContextError.notConnected
      case .reading(let reader): try reader.get()
      case .writing(let writer): try writer.get()
      }
    }
  }

  /// What writes to the database.
  ///
  /// - Throws: ``DatabaseContextError/readOnly`` where the context is read-only, whether or not its
  ///   database could be opened; ``DatabaseContextError/notConnected``; what opening the database threw.
  public var writer: any DatabaseWriter {
    get throws {
      switch access {
      case .notConnected: throw DatabaseContextError.notConnected
      case .reading: throw DatabaseContextError.readOnly
      case .writing(let writer): try writer.get()
      }
    }
  }
}

/// Why a context gives no database.
public enum DatabaseContextError: DataError, Hashable {
  /// There is no database: none was put into the environment, say.
  case notConnected
  /// The context reads alone.
  case readOnly
}

extension DatabaseContextError {
  public var kind: DataErrorKind {
    switch self {
    case .notConnected: .unavailable
    case .readOnly: .readOnly
    }
  }

  public var message: String {
    switch self {
    case .notConnected: "the context has no database"
    case .readOnly: "the context is read-only"
    }
  }

  public var description: String { message }
}
