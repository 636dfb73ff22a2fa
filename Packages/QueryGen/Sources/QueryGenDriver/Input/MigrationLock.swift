internal import Foundation
internal import Primitives
internal import SQLSyntax

/// The checksums of released migrations, which must not change: `migrations.lock`.
///
/// Each line contains a checksum and a migration's name. White space, comments, and letter case
/// outside of quotes are ignored, so that released migrations can be formatted.
public struct MigrationLock: Sendable {
  /// The name of the file, in the folder of the migrations.
  public static let fileName = "migrations.lock"
  private static let header =
    "# Checksums of released migrations, which must not change. Written by querygen migrations.\n"

  public struct Line: Sendable {
    public var name: String
    var checksum: String
    var span: ByteSpan
  }

  public var lines: [Line] = []

  /// Creates an empty lock.
  init() {}

  /// Creates a lock for migrations, in order.
  init(_ migrations: [InputFile]) {
    lines = migrations.map { file in
      Line(
        name: file.name, checksum: Self.checksum(of: file.source), span: ByteSpan(0..<0))
    }
  }

  /// Reads a lock, and reports malformed lines.
  init(_ file: inout InputFile) {
    guard file.isText else { return }
    let table = file.source.lineTable()
    for number in 1...table.lineCount {
      guard let whole = table.span(ofLine: number) else { continue }
      let text = file.source[whole].filter { $0 != "\n" }
      if text.allSatisfy({ $0 == " " }) || text.hasPrefix("#") { continue }
      let span = ByteSpan(whole.start, whole.start.advanced(by: text.utf8.count))
      let words = text.split(separator: " ", maxSplits: 1)
      guard words.count == 2, words[0].utf8.count == 16, UInt64(words[0], radix: 16) != nil else {
        file.diagnostics.append(
          Diagnostic(
            .malformedLock, at: span,
            "expected a checksum of 16 digits, and a migration's name"))
        continue
      }
      lines.append(Line(name: String(words[1]), checksum: String(words[0]), span: span))
    }
  }

  /// The contents of the lock's file.
  var text: String {
    Self.header + lines.map { "\($0.checksum) \($0.name)\n" }.joined()
  }

  /// Returns the FNV-1a hash of the statements' tokens, which detects mistakes but not
  /// manipulation.
  static func checksum(of source: SourceText) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for token in Lexer.tokenize(source).tokens {
      let bytes = source.bytes[token.span.range]
      let isQuoted = bytes.first.map { "'\"`[".utf8.contains($0) } ?? false
      for byte in bytes + [0] {
        let letter = isQuoted ? byte : byte.asciiLowercased
        hash = (hash ^ UInt64(letter)) &* 0x0000_0100_0000_01b3
      }
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Adds a diagnostic for each migration that differs from the lock.
  func check(_ migrations: inout [InputFile], _ lock: inout InputFile) {
    var indexes: [String: Int] = [:]
    for (index, file) in migrations.enumerated() { indexes[file.name] = index }
    var lastLocked = -1
    for line in lines {
      guard let index = indexes[line.name] else {
        lock.diagnostics.append(
          Diagnostic(
            .missingMigration, at: line.span,
            "the file of the released migration '\(line.name)' is missing"))
        continue
      }
      lastLocked = max(lastLocked, index)
      guard migrations[index].isText,
        Self.checksum(of: migrations[index].source) != line.checksum
      else { continue }
      let first = Lexer.tokenize(migrations[index].source).tokens[0].span
      migrations[index].diagnostics.append(
        Diagnostic(
          .changedMigration, at: first,
          "this migration was released, so databases may have applied it, but it was edited; "
            + "revert the edit, and make the change in a new migration"))
    }
    let locked = Set(lines.map(\.name))
    for index in migrations.indices
    where index < lastLocked && !locked.contains(migrations[index].name) {
      migrations[index].diagnostics.append(
        Diagnostic(
          .earlyMigration, severity: .warning, at: ByteSpan(0..<0),
          "this migration precedes the released migration '\(migrations[lastLocked].name)'; give "
            + "it a higher number"))
    }
  }
}

extension Diagnostic.Identity {
  static let malformedLock = Self(rawValue: "malformed-lock")
  /// The file of a released migration is missing.
  static let missingMigration = Self(rawValue: "missing-migration")
  /// A released migration was edited.
  static let changedMigration = Self(rawValue: "changed-migration")
  /// A new migration precedes a released one.
  static let earlyMigration = Self(rawValue: "early-migration")
}
