import Foundation
import Observe
import Providers
import Relations
import Router
import SPON
import SQLiteCore
import Testing

/// Tests that each error code that the packages declare has a kind.
@Suite struct `The kinds of errors` {
  struct Errors: Sendable, CustomTestStringConvertible {
    /// A file that declares codes, such as
    /// `public static let notFound = Code(rawValue: "notFound")`.
    let file: String
    /// The minimum number of codes.
    let minimum: Int
    let make: @Sendable (String) -> any DataError
    var testDescription: String { file }
  }

  static let all = [
    Errors(file: "Packages/Router/Sources/Router/Errors/RouterError.swift", minimum: 14) {
      RouterError(code: RouterError.Code(rawValue: $0), message: "")
    },
    Errors(
      file: "Packages/Relations/Sources/Relations/Errors/RelationError.swift", minimum: 13
    ) { RelationError(RelationError.Code(rawValue: $0), "") },
    Errors(
      file: "Packages/Providers/Sources/Providers/Errors/ProviderError.swift", minimum: 27
    ) { ProviderError(ProviderError.Code(rawValue: $0), "") },
    Errors(file: "Packages/SPON/Sources/SPON/Errors/SPONError.swift", minimum: 25) {
      SPONError(SPONError.Code(rawValue: $0), "")
    },
  ]

  @Test(arguments: all) func `exist for every code`(_ errors: Errors) throws {
    let names = try Self.codes(in: errors.file)
    #expect(names.count >= errors.minimum)
    for name in names { #expect(errors.make(name).kind != .other, "\(name)") }
    #expect(errors.make("a code of a later version").kind == .other)
  }

  private static func codes(in file: String) throws -> [String] {
    let source = try String(contentsOf: repository.appending(path: file), encoding: .utf8)
    return source.matches(of: /static let (\w+) = \w+\(rawValue: "(\w+)"\)/).map { match in
      #expect(match.1 == match.2)
      return String(match.2)
    }
  }

  static let kinds: [(any DataError, DataErrorKind)] = [
    (RouterError(code: .notFound, message: ""), .notFound),
    (RouterError(code: .multipleRows, message: ""), .tooManyRows),
    (RelationError(.missingRow, ""), .notFound),
    (RelationError(.conflict, ""), .conflict),
    (RelationError(.readOnlyRelation, ""), .readOnly),
    (ProviderError(.notFound, ""), .notFound),
    (ProviderError(.busy, ""), .busy),
    (ProviderError(.readOnly, ""), .readOnly),
    (ProviderError(.fileChanged, ""), .conflict),
    (SPONError(.keyNotFound, ""), .notFound),
    (SPONError(.unexpectedEnd, ""), .invalidInput),
    (SQLiteError(code: .busyTimeout, message: ""), .busy),
    (SQLiteError(code: .readOnly, message: ""), .readOnly),
    (DatabaseContextError.readOnly, .readOnly),
    (DatabaseContextError.notConnected, .unavailable),
    (QueryError.requestIsConstant, .invalidRequest),
    (ListDifferenceError.countMismatch(expected: 1, found: 2), .invalidRequest),
  ]

  @Test func `are the same for the same failure in every package`() {
    for (error, kind) in Self.kinds { #expect(error.kind == kind, "\(error)") }
  }

  @Test func `are reported with the position in a file`() throws {
    let error = #expect(throws: SPONError.self) {
      try SPONValue(parsing: "@obj<\n  a$=`1`\n  b`2`>")
    }
    let place = try #require(error).place
    #expect(place.position?.line == 3)
    #expect(place.position?.column != nil)
    let missing = ProviderError(
      .malformed, "", file: "towns.csv", position: ProviderError.Position(line: 7, column: 2),
      table: "towns", column: "name")
    #expect(
      missing.place
        == DataErrorPlace(
          file: "towns.csv", position: DataErrorPlace.Position(line: 7, column: 2), table: "towns",
          columns: ["name"]))
  }
}
