@_exported public import protocol Primitives.DataError
@_exported public import enum Primitives.DataErrorKind
@_exported public import struct Primitives.DataErrorPlace

extension SPONError: DataError {
  public var kind: DataErrorKind {
    switch code {
    case .emptyDocument, .unexpectedText, .unexpectedEnd, .trailingText, .unknownDesignator,
      .invalidUTF8, .invalidEscape, .invalidBool, .invalidNumber, .numberOutOfRange, .invalidBase64,
      .invalidDate, .invalidNull, .duplicateKey, .invalidJSON, .dataCorrupted:
      .invalidInput
    case .unsupportedVersion: .unsupported
    case .tooDeep, .tooLong, .tooMany: .limitExceeded
    case .keyNotFound, .valueNotFound: .notFound
    case .typeMismatch, .doesNotFit, .notRepresentable: .typeMismatch
    case .invalidContainer, .misplacedValue: .invalidRequest
    default: .other
    }
  }

  public var place: DataErrorPlace {
    DataErrorPlace(
      position: position.map {
        DataErrorPlace.Position(byteOffset: $0.byteOffset, line: $0.line, column: $0.column)
      },
      path: codingPath.isEmpty ? nil : SPONPath.Key.describe(codingPath))
  }
}
