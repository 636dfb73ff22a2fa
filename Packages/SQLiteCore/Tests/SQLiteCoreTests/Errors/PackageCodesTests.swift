import Foundation
import Testing

@testable import SQLiteCore

@Suite struct `This package's codes` {
  /// A declaration in the source.
  struct Declaration: Hashable, Sendable, CustomTestStringConvertible {
    let name: String
    let code: SQLiteError.Code
    var testDescription: String { name }
  }

  /// Returns every `public static let name = Self(primary, extended: number)` of the source.
  static let declarations: [Declaration] = {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent(
        "../../../Sources/SQLiteCore/Errors/SQLiteError+PackageCodes.swift")
    let text = (try? String(contentsOf: source, encoding: .utf8)) ?? ""
    return text.matches(of: /static let (\w+) = Self\((\d+), extended: (\d+)\)/).compactMap {
      guard let primary = Int32($0.2), let extended = Int32($0.3) else { return nil }
      return Declaration(name: String($0.1), code: .init(primary, extended: extended))
    }
  }()

  @Test func `are distinct, and extend SQLite's codes with unused numbers`() {
    let codes = Self.declarations.map(\.code)
    #expect(codes.count > 30)
    #expect(Set(codes).count == codes.count)
    let engine = Set(SQLiteError.Code.engineNames.map(\.code))
    for code in codes {
      #expect(engine.contains(code.primary), "\(code)")
      #expect(code.rawValue >> 8 >= 200, "\(code)")
    }
  }

  @Test func `have distinct names`() {
    let names = SQLiteError.Code.packageNames
    #expect(names.count == Self.declarations.count)
    #expect(Set(names.map(\.code)) == Set(Self.declarations.map(\.code)))
    #expect(Set(names.map(\.name)).count == names.count)
    for (code, name) in names { #expect(code.description == name) }
  }

  @Test func `share no number and no name with SQLite's`() {
    let engine = SQLiteError.Code.engineNames
    #expect(Set(engine.map(\.code)).count == engine.count)
    #expect(Set(engine.map(\.code)).isDisjoint(with: SQLiteError.Code.packageNames.map(\.code)))
    for (code, name) in engine {
      #expect(code.description == name)
      #expect(name.hasPrefix("SQLITE_"))
    }
  }
}
