extension PostgreSQLError {
  /// An SQLSTATE of five characters, or a name of this package.
  ///
  /// Servers and extensions add codes, so this is an open set: match the codes that you handle.
  /// https://www.postgresql.org/docs/current/errcodes-appendix.html
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    init(_ rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    /// Indicates whether the code is the server's.
    public var isSQLState: Bool {
      rawValue.utf8.count == 5
        && rawValue.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
    }

    /// The class of an SQLSTATE: its first two characters.
    var sqlstateClass: Substring { isSQLState ? rawValue.prefix(2) : "" }
  }
}

extension PostgreSQLError.Code {
  // MARK: SQLSTATEs

  /// A text contains a character that its encoding does not have, such as NUL.
  public static let characterNotInRepertoire = Self("22021")
  /// A text is not a valid value of its type.
  public static let invalidTextRepresentation = Self("22P02")
  /// A number is out of its type's range.
  public static let numericValueOutOfRange = Self("22003")
  /// A string is longer than its column allows.
  public static let stringDataRightTruncation = Self("22001")
  public static let divisionByZero = Self("22012")
  /// A `NOT NULL` constraint is violated.
  public static let notNullViolation = Self("23502")
  public static let foreignKeyViolation = Self("23503")
  public static let uniqueViolation = Self("23505")
  public static let checkViolation = Self("23514")
  public static let exclusionViolation = Self("23P01")
  public static let readOnlyTransaction = Self("25006")
  /// A statement runs in a transaction that has failed before.
  public static let inFailedTransaction = Self("25P02")
  /// No prepared statement has this name.
  public static let invalidStatementName = Self("26000")
  public static let serializationFailure = Self("40001")
  public static let deadlockDetected = Self("40P01")
  public static let insufficientPrivilege = Self("42501")
  public static let syntaxError = Self("42601")
  public static let undefinedColumn = Self("42703")
  public static let undefinedFunction = Self("42883")
  public static let undefinedTable = Self("42P01")
  public static let duplicateTable = Self("42P07")
  /// A prepared statement of this name exists.
  public static let duplicatePreparedStatement = Self("42P05")
  /// The server can't infer the type of a parameter.
  public static let indeterminateDatatype = Self("42P18")
  public static let featureNotSupported = Self("0A000")
  public static let tooManyConnections = Self("53300")
  public static let diskFull = Self("53100")
  public static let lockNotAvailable = Self("55P03")
  /// The server cancelled the statement, at the request of a client or because of its `statement_timeout`.
  public static let queryCanceled = Self("57014")
  public static let adminShutdown = Self("57P01")
  public static let crashShutdown = Self("57P02")
  /// The server is starting up or shutting down.
  public static let cannotConnectNow = Self("57P03")

  // MARK: Connections and transactions

  /// No host accepted a connection.
  public static let connectionFailed = Self("connectionFailed")
  /// The connection ended, or the server sent something that is not the protocol.
  public static let connectionLost = Self("connectionLost")
  /// The connection or the pool was closed.
  public static let closed = Self("closed")
  /// A connection was used after the end of the access that it was lent for.
  public static let accessEnded = Self("accessEnded")
  /// A deadline passed: of connecting, of waiting for a connection, or of a statement.
  public static let timedOut = Self("timedOut")
  /// The connection ended during `COMMIT`: the transaction is either committed or rolled back.
  public static let outcomeUnknown = Self("outcomeUnknown")
  /// The server answered `COMMIT` with `ROLLBACK`, because a statement of the transaction had failed.
  public static let transactionRolledBack = Self("transactionRolledBack")
  /// A transaction ended in another way than by the method that began it, or transactions of one
  /// connection overlap.
  public static let transactionEnded = Self("transactionEnded")
  /// The configuration is invalid.
  public static let invalidConfiguration = Self("invalidConfiguration")

  // MARK: Statements and values

  /// The number of values differs from the number of parameters.
  public static let parameterCount = Self("parameterCount")
  /// A text contains NUL, which PostgreSQL can't store.
  public static let containsNUL = Self("containsNUL")
  /// A value is interpolated inside quotes or a comment. It can't be bound there.
  public static let misplacedInterpolation = Self("misplacedInterpolation")
  /// A statement returned more rows than expected, or `COPY` was used with the wrong method.
  public static let unexpectedResult = Self("unexpectedResult")
  /// The result has no column of this name or number.
  public static let unknownColumn = Self("unknownColumn")
  /// A value's type is not one that can be read or bound as the requested type.
  public static let typeMismatch = Self("typeMismatch")
  /// The value is NULL, and the requested type is not optional.
  public static let unexpectedNull = Self("unexpectedNull")
  /// The value has the right type, but the requested type can't represent it.
  public static let valueOutOfRange = Self("valueOutOfRange")
  /// A text is not in the format of its type, or is not valid UTF-8.
  public static let invalidText = Self("invalidText")
  /// The bytes are not a value of their type.
  public static let invalidBytes = Self("invalidBytes")
  /// A value is not JSON, or not JSON of the requested type.
  public static let invalidJSON = Self("invalidJSON")
}

extension PostgreSQLError.Code {
  /// The kind that other engines report for the same failure.
  public var kind: DataErrorKind {
    switch self {
    case .uniqueViolation: .uniqueViolation
    case .foreignKeyViolation, Self("23001"): .foreignKeyViolation
    case .notNullViolation: .notNullViolation
    case .checkViolation, Self("44000"): .checkViolation
    case .serializationFailure, .deadlockDetected: .conflict
    case .lockNotAvailable, .tooManyConnections, .timedOut: .busy
    case .readOnlyTransaction: .readOnly
    case .queryCanceled: .cancelled
    case .insufficientPrivilege: .denied
    case .diskFull: .storageFull
    case Self("XX001"), Self("XX002"): .corrupt
    case .duplicateTable, Self("42P04"), Self("42P06"), Self("42701"), Self("42710"): .alreadyExists
    case .connectionFailed, .connectionLost, .closed, .accessEnded, .outcomeUnknown, .adminShutdown,
      .crashShutdown, .cannotConnectNow:
      .unavailable
    case .parameterCount, .misplacedInterpolation, .unexpectedResult, .unknownColumn,
      .transactionRolledBack, .transactionEnded, .invalidConfiguration:
      .invalidRequest
    case .typeMismatch, .unexpectedNull, .valueOutOfRange: .typeMismatch
    case .containsNUL, .invalidText, .invalidBytes, .invalidJSON: .invalidInput
    default: classKind
    }
  }

  private var classKind: DataErrorKind {
    switch sqlstateClass {
    case "08": .unavailable
    case "0A": .unsupported
    case "21", "24", "25", "26", "34", "3D", "3F", "42": .invalidRequest
    case "22": .invalidInput
    case "23", "27": .constraintViolation
    case "28": .denied
    case "40": .conflict
    case "53", "54": .limitExceeded
    case "57": .unavailable
    case "58": .storageFailed
    default: .other
    }
  }

  /// Indicates whether a connection can't be used after an error with this code.
  var endsConnection: Bool {
    switch self {
    case .connectionLost, .adminShutdown, .crashShutdown, .cannotConnectNow: true
    default: sqlstateClass == "08"
    }
  }

  /// Indicates whether the same transaction can succeed if it runs again.
  var isRepeatable: Bool { self == .serializationFailure || self == .deadlockDetected }

  /// A message without values, for codes whose messages PostgreSQL composes from data or from SQL text;
  /// `nil` for others.
  var messageWithoutValues: String? {
    switch self {
    case .syntaxError: "the statement has a syntax error"
    case .characterNotInRepertoire: "a text contains a character that the encoding does not have"
    case .invalidTextRepresentation: "a text is not a valid value of its type"
    case .numericValueOutOfRange: "a number is out of range"
    case .stringDataRightTruncation: "a string is too long for its type"
    case .divisionByZero: "division by zero"
    case Self("22007"), Self("22008"): "a date or time is invalid or out of range"
    case Self("22P03"): "a value has invalid bytes for its type"
    case Self("2201B"): "a regular expression is invalid"
    case Self("22025"): "an escape sequence is invalid"
    case Self("22023"): "a parameter's value is invalid"
    case Self("22004"): "a NULL is not allowed here"
    case Self("22032"), Self("22030"): "a value is not valid JSON"
    default: sqlstateClass == "22" ? "a value is invalid for the operation" : nil
    }
  }
}
