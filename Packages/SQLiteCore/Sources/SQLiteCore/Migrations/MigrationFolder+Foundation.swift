internal import Foundation
internal import Primitives

extension Migration {
  /// The migrations of a folder: a file `*.sql` each, named like it, by the numbers that their names begin with.
  ///
  /// They are what QueryGen makes of the same folder, by names, order and checksums: a database that an app has brought up to date
  /// can be brought on by them.
  ///
  /// ```swift
  /// try connection.migrate(Migration.read(folder: "Sources/App/Migrations"))
  /// ```
  ///
  /// Files without a number come last, by their names. Hidden files and all but `*.sql` are passed over.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/cannotOpen`` where the folder, or a file of it, can't be read, or a
  ///   file is not UTF-8; with ``SQLiteError/Code/misuse`` where two have one number.
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

    /// The number without the zeros before it, which may have any number of digits.
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
