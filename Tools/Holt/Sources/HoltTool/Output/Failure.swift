import Foundation
import Providers
import SPON
import SQLiteCore
import Terminal

/// An error of the tool itself: a message and an optional hint.
struct ToolError: Error, Equatable {
  var message: String
  /// The file that caused the error.
  var file: String?
  /// A suggestion for fixing the error.
  var hint: String?

  init(_ message: String, file: String? = nil, hint: String? = nil) {
    self.message = message
    self.file = file
    self.hint = hint
  }
}

/// An error in a migration, with the migration's file.
struct MigrationFailure: Error {
  let error: SQLiteError
  let file: String
}

/// An error prepared for display: its message, its location, and an excerpt of the SQL.
struct Failure {
  var message: String
  var file: String?
  var line: Int?
  var column: Int?
  var hint: String?
  /// The line of SQL, and the marker to print below it.
  var excerpt: (line: String, marker: String)?

  /// The prefix of the missing table's name in the views that shadow ambiguous table names.
  static let ambiguity = "ambiguous: "

  init(_ error: any Error, sqlFile: String? = nil) {
    let migration = error as? MigrationFailure
    let sqlFile = migration?.file ?? sqlFile
    file = migration?.file
    switch migration?.error ?? error {
    case let error as ToolError:
      (message, file, hint) = (error.message, error.file, error.hint)
    case let error as ProviderError:
      let name = [error.table, error.column].compactMap(\.self).joined(separator: ".")
      message = error.message + (name.isEmpty ? "" : " (\(name))")
      (file, line, column) = (error.file, error.position?.line, error.position?.column)
    case let error as SQLiteError:
      message = Self.message(of: error)
      if let sql = error.sql, let offset = error.offset {
        locate(offset.rawValue, in: sql)
        file = sqlFile ?? "SQL"
      }
    case let error as ServerFailure:
      (message, hint) = (error.message, error.hint)
      if let sql = error.sql {
        locate(sql.offset, in: sql.text)
        file = sqlFile ?? "SQL"
      } else {
        file = error.database
      }
    case let error as SPONError:
      message = "\(error)"
    case let error as CocoaError:
      message = error.localizedDescription
      file = error.filePath
    default:
      message = "\(error)"
    }
  }

  /// Returns SQLite's message, or the explanation of an ambiguous table name.
  private static func message(of error: SQLiteError) -> String {
    if let start = error.message.range(of: ambiguity) {
      return String(error.message[start.lowerBound...].dropFirst(ambiguity.count))
    }
    let place = error.column.map { " (column \($0.name))" } ?? ""
    return error.message + place
  }

  private mutating func locate(_ offset: Int, in sql: String) {
    let bytes = Array(sql.utf8)
    let offset = min(offset, bytes.count)
    let start = bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let end = bytes[offset...].firstIndex(of: 0x0A) ?? bytes.count
    line = bytes[..<offset].count { $0 == 0x0A } + 1
    column = offset - start + 1
    let before = String(decoding: bytes[start..<offset], as: UTF8.self)
    let length = bytes[offset..<end].prefix { Self.isWordByte($0) }.count
    // Repeats the tabs of the line, so that the marker is aligned with the text above it.
    let space = before.map { $0 == "\t" ? "\t" : " " }.joined()
    excerpt = (
      String(decoding: bytes[start..<end], as: UTF8.self),
      space + String(repeating: "^", count: 1) + String(repeating: "~", count: max(0, length - 1))
    )
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
    default: false
    }
  }

  /// Returns the failure as human-readable text.
  func text(showingColor: Bool) -> String {
    var place = file ?? ""
    if let line { place += ":\(line)" }
    if line != nil, let column { place += ":\(column)" }
    let prefix = place.isEmpty ? "" : "\(place): "
    var text = "\(prefix)\(TerminalStyle.boldRed("error:", if: showingColor)) \(message)\n"
    if let excerpt {
      text += "  \(excerpt.line)\n  \(TerminalStyle.green(excerpt.marker, if: showingColor))\n"
    }
    if let hint { text += "\(TerminalStyle.bold("hint:", if: showingColor)) \(hint)\n" }
    return text
  }

  /// The failure as an object on one line.
  var json: String {
    let members: [(String, JSONText)] = [
      ("message", .text(message)), ("file", .optional(file)), ("line", .optional(line)),
      ("column", .optional(column)), ("hint", .optional(hint)),
    ]
    return JSONText.object([("error", .object(members))]).description + "\n"
  }
}
