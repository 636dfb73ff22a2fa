internal import Foundation
internal import Primitives

extension Migration {
  /// Reads the migrations of a folder, one from each `*.sql` file, named after the file and ordered by the number at
  /// the beginning of the name.
  ///
  /// Names, order and checksums are the same as those that QueryGen generates for the folder, so a database that an app
  /// has migrated can be migrated further with them.
  ///
  /// ```swift
  /// try connection.migrate(Migration.read(folder: "Sources/App/Migrations"))
  /// ```
  ///
  /// Files without a number follow last, ordered by name. Hidden files and files of other types are ignored.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/cannotOpen`` if the folder or a file can't be read, or a
  ///   file is not UTF-8; ``SQLiteError/Code/misuse`` if two files have the same number.
  public static func read(folder: String) throws(SQLiteError) -> [Migration] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw SQLiteError(code: .cannotOpen, message: "the folder \(folder) can't be read")
    }
    let files = names.filter { $0.lowercased().hasSuffix(".sql") && !$0.hasPrefix(".") }
      .map { NumberedName(name: String($0.dropLast(4)), file: $0) }.sorted()
    for (earlier, later) in zip(files, files.dropFirst())
    where earlier.number != nil && earlier.number == later.number {
      throw SQLiteError(
        code: .misuse,
        message: "the migrations \(earlier.file) and \(later.file) have the same number")
    }
    return try files.map { file throws(SQLiteError) in
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(file.file)"),
        let sql = String(wellFormed: [UInt8](data))
      else {
        throw SQLiteError(
          code: .cannotOpen, message: "\(folder)/\(file.file) can't be read as UTF-8")
      }
      return Migration(name: file.name, sql: SQL(unsafe: sql))
    }
  }

  private struct NumberedName: Comparable {
    let name: String
    let file: String

    /// The number without leading zeros. It can have any number of digits.
    var number: Substring? {
      let digits = name.prefix { $0.isASCII && $0.isNumber }
      return digits.isEmpty ? nil : digits.drop { $0 == "0" }
    }

    static func < (a: NumberedName, b: NumberedName) -> Bool {
      switch (a.number, b.number) {
      case (let a?, let b?) where a != b: a.count != b.count ? a.count < b.count : a < b
      case (.some, .none): true
      case (.none, .some): false
      default: a.name < b.name
      }
    }
  }
}
