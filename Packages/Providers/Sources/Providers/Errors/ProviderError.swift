@_exported public import protocol SQLiteCore.DataError
@_exported public import enum SQLiteCore.DataErrorKind
@_exported public import struct SQLiteCore.DataErrorPlace

/// An error of a provider: its source can't be read, written or queried. Branch on ``code``; show
/// ``description`` to people.
///
/// Errors that SQLite reports are thrown as `SQLiteError`. Except for the keys of objects to save,
/// no error contains a value of the source.
public struct ProviderError: Error, Hashable, Sendable {
  /// The kind of error.
  public let code: Code
  /// A description of the error for people.
  public let message: String
  /// The file that caused the error.
  public var file: String?
  /// The position in the file.
  public var position: Position?
  /// The table that caused the error.
  public var table: String?
  /// The column that caused the error.
  public var column: String?

  public init(
    _ code: Code, _ message: String, file: String? = nil, position: Position? = nil,
    table: String? = nil, column: String? = nil
  ) {
    self.code = code
    self.message = message
    self.file = file
    self.position = position
    self.table = table
    self.column = column
  }

  /// A kind of provider error. Releases add codes: match only the codes that you handle.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The text is not valid in its format.
    public static let malformed = Code(rawValue: "malformed")
    /// The text ends prematurely.
    public static let truncated = Code(rawValue: "truncated")
    /// The bytes are not valid in the expected encoding.
    public static let invalidEncoding = Code(rawValue: "invalidEncoding")
    /// The text is larger, or nested more deeply, than the limits allow.
    public static let limitExceeded = Code(rawValue: "limitExceeded")
    /// The text uses a feature that is never followed, such as XML entities that name files.
    public static let forbidden = Code(rawValue: "forbidden")
    /// A value can't be represented in the format, or in the requested type.
    public static let unrepresentable = Code(rawValue: "unrepresentable")
    /// The file does not exist.
    public static let notFound = Code(rawValue: "notFound")
    /// The process lacks permission to read or write the file.
    public static let accessDenied = Code(rawValue: "accessDenied")
    /// The file system reported an error, or the path does not name a regular file.
    public static let fileSystem = Code(rawValue: "fileSystem")
    /// The provider has no source open.
    public static let notOpen = Code(rawValue: "notOpen")
    /// The source was opened as read-only.
    public static let readOnly = Code(rawValue: "readOnly")
    /// The source has no table with this name.
    public static let unknownTable = Code(rawValue: "unknownTable")
    /// The name is not a valid name of a file in the document directory or the bundle.
    public static let invalidName = Code(rawValue: "invalidName")
    /// The file was changed since it was read, and would be overwritten.
    public static let fileChanged = Code(rawValue: "fileChanged")
    /// The file exists and must not be replaced.
    public static let fileExists = Code(rawValue: "fileExists")
    /// Another process is writing the file.
    public static let busy = Code(rawValue: "busy")
    /// An open transaction must end first.
    public static let transactionOpen = Code(rawValue: "transactionOpen")
    /// A table with this name already exists.
    public static let tableExists = Code(rawValue: "tableExists")
    /// The copied rows differ from the rows of the source.
    public static let transferMismatch = Code(rawValue: "transferMismatch")
    /// No transaction is open.
    public static let noTransaction = Code(rawValue: "noTransaction")
    /// A key's type, or its number of columns, differs from the table's key.
    public static let wrongKeyType = Code(rawValue: "wrongKeyType")
    /// A row has no key, or its type has no property for one.
    public static let missingKey = Code(rawValue: "missingKey")
    /// A table does not match its type, or the type can't be stored in a table.
    public static let schemaMismatch = Code(rawValue: "schemaMismatch")
    /// The schema change would lose values.
    public static let lossyChange = Code(rawValue: "lossyChange")
    /// Two different values with one key would be saved together.
    public static let conflictingCopies = Code(rawValue: "conflictingCopies")
    /// A row refers to a row that does not exist.
    public static let danglingReference = Code(rawValue: "danglingReference")
    /// Rows refer to each other in a cycle, which values can't represent.
    public static let cyclicReference = Code(rawValue: "cyclicReference")

    public var description: String { rawValue }
  }
}

extension ProviderError {
  /// A position in a file.
  public struct Position: Hashable, Sendable, CustomStringConvertible {
    /// The number of bytes before the position; `nil` if only the line is known.
    public var byteOffset: Int?
    /// The line, counting from 1.
    public var line: Int
    /// The column in bytes, counting from 1; `nil` if only the line is known.
    public var column: Int?

    public init(byteOffset: Int? = nil, line: Int, column: Int? = nil) {
      self.byteOffset = byteOffset
      self.line = line
      self.column = column
    }

    public var description: String { column.map { "\(line):\($0)" } ?? "\(line)" }
  }
}

extension ProviderError: CustomStringConvertible {
  public var description: String {
    let place = [file, position?.description].compactMap(\.self).joined(separator: ":")
    let name = [table, column].compactMap(\.self).joined(separator: ".")
    return "\(place.isEmpty ? "" : "\(place): ")\(code): \(message)"
      + (name.isEmpty ? "" : " (\(name))")
  }
}

extension ProviderError: DataError {
  public var kind: DataErrorKind {
    switch code {
    case .malformed, .truncated, .invalidEncoding, .conflictingCopies: .invalidInput
    case .limitExceeded: .limitExceeded
    case .forbidden, .accessDenied: .denied
    case .unrepresentable, .cyclicReference: .typeMismatch
    case .notFound: .notFound
    case .fileSystem, .transferMismatch: .storageFailed
    case .notOpen: .unavailable
    case .readOnly: .readOnly
    case .unknownTable, .invalidName, .transactionOpen, .noTransaction, .wrongKeyType, .missingKey:
      .invalidRequest
    case .fileChanged: .conflict
    case .fileExists, .tableExists: .alreadyExists
    case .busy: .busy
    case .schemaMismatch: .schemaMismatch
    case .lossyChange: .wouldLoseData
    case .danglingReference: .foreignKeyViolation
    default: .other
    }
  }

  public var place: DataErrorPlace {
    DataErrorPlace(
      file: file,
      position: position.map {
        DataErrorPlace.Position(byteOffset: $0.byteOffset, line: $0.line, column: $0.column)
      },
      table: table, columns: column.map { [$0] } ?? [])
  }
}
