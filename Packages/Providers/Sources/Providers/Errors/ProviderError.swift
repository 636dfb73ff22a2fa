@_exported public import protocol SQLiteCore.DataError
@_exported public import enum SQLiteCore.DataErrorKind
@_exported public import struct SQLiteCore.DataErrorPlace

/// Why a source could not be read, written or asked: branch on ``code``, show ``description`` to a person.
///
/// What SQLite itself refuses is an `SQLiteError`, as it comes. No error holds a value of a source, but for the key
/// of objects that are to be saved.
public struct ProviderError: Error, Hashable, Sendable {
  /// What is wrong.
  public let code: Code
  /// The same for a person.
  public let message: String
  /// The file that it is about.
  public var file: String?
  /// Where in the file.
  public var position: Position?
  /// The table that it is about.
  public var table: String?
  /// The column that it is about.
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

  /// What is wrong with a source. Releases add codes: match what you handle.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The text is not of its format.
    public static let malformed = Code(rawValue: "malformed")
    /// The text ends in the midst of something.
    public static let truncated = Code(rawValue: "truncated")
    /// The bytes are not of the encoding that they should be.
    public static let invalidEncoding = Code(rawValue: "invalidEncoding")
    /// The text is larger, or nested deeper, than is allowed.
    public static let limitExceeded = Code(rawValue: "limitExceeded")
    /// The text uses what is never followed, as entities of XML that name files.
    public static let forbidden = Code(rawValue: "forbidden")
    /// A value can't be held by the format, or by the type that is asked for.
    public static let unrepresentable = Code(rawValue: "unrepresentable")
    /// There is no such file.
    public static let notFound = Code(rawValue: "notFound")
    /// The file may not be read, or not be written.
    public static let accessDenied = Code(rawValue: "accessDenied")
    /// The file system failed, or what the path names is no file.
    public static let fileSystem = Code(rawValue: "fileSystem")
    /// The provider has no source open.
    public static let notOpen = Code(rawValue: "notOpen")
    /// The source was opened for reading alone.
    public static let readOnly = Code(rawValue: "readOnly")
    /// The source has no table of this name.
    public static let unknownTable = Code(rawValue: "unknownTable")
    /// A name that no file in the document directory or the bundle can have.
    public static let invalidName = Code(rawValue: "invalidName")
    /// The file is another one than what was read, and would be overwritten.
    public static let fileChanged = Code(rawValue: "fileChanged")
    /// A file is there that is not to be replaced.
    public static let fileExists = Code(rawValue: "fileExists")
    /// Another process is writing the file.
    public static let busy = Code(rawValue: "busy")
    /// A transaction is open that has to end first.
    public static let transactionOpen = Code(rawValue: "transactionOpen")
    /// There is a table of this name already.
    public static let tableExists = Code(rawValue: "tableExists")
    /// What was copied is not what the source has.
    public static let transferMismatch = Code(rawValue: "transferMismatch")
    /// No transaction was begun.
    public static let noTransaction = Code(rawValue: "noTransaction")
    /// A key is not of the type, or not of the number of columns, that the table's key is.
    public static let wrongKeyType = Code(rawValue: "wrongKeyType")
    /// A row has no key, or its type has no property for one.
    public static let missingKey = Code(rawValue: "missingKey")
    /// A table is not as a type needs it, or a type can't be a table.
    public static let schemaMismatch = Code(rawValue: "schemaMismatch")
    /// A change of a table would lose values.
    public static let lossyChange = Code(rawValue: "lossyChange")
    /// Two values of one key that are to be saved at once are different.
    public static let conflictingCopies = Code(rawValue: "conflictingCopies")
    /// A row refers to another that is not there.
    public static let danglingReference = Code(rawValue: "danglingReference")
    /// Rows refer to each other in a circle, which no value can.
    public static let cyclicReference = Code(rawValue: "cyclicReference")

    public var description: String { rawValue }
  }
}

extension ProviderError {
  /// A place in a file.
  public struct Position: Hashable, Sendable, CustomStringConvertible {
    /// Bytes before the place; `nil` where only the line is known.
    public var byteOffset: Int?
    /// The line, from 1.
    public var line: Int
    /// The place in its line, from 1, in bytes; `nil` where only the line is known.
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
