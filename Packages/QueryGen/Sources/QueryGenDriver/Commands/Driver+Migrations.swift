public import Foundation
internal import SQLSyntax

extension Driver {
  /// Creates the file of a new migration, numbered after the last one, and locks the existing
  /// migrations, since they may have been released.
  ///
  /// - Parameters:
  ///   - name: A short description of the migration, from which the file's name is derived.
  ///   - now: The current time, which is used if numbers are timestamps.
  /// - Returns: An outcome with the path of the file and the locked migrations. If there are errors, no
  ///   file was written.
  public func addMigration(named name: String, at now: Date = Date()) -> Outcome {
    guard let slug = MigrationName.slug(name) else {
      let failure = FileFailure(
        .invalidMigrationName, path: name,
        message: "the name of a migration must consist of letters, digits, spaces, \"_\" and \"-\"")
      return Outcome([], [failure], usesColor: options.usesColor)
    }
    return changeMigrations { (input, outcome) throws(FileFailure) in
      let number = MigrationName.number(after: input.folder.migrations.map(\.name), at: now)
      let path = Paths.join(input.migrations, "\(number)_\(slug).sql")
      guard !Input.exists(path) else {
        throw FileFailure(.unwritableFile, path: path, message: "the file already exists")
      }
      try TextFile.write(Array("-- \(name)\n".utf8), to: path)
      outcome.written = [path]
    }
  }

  /// Locks all migrations, so that their SQL must not change.
  public func lockMigrations() -> Outcome {
    changeMigrations { _, _ in }
  }

  /// Makes a change if the migrations have no errors, and locks the migrations that existed before.
  private func changeMigrations(
    _ change: (Input, inout Outcome) throws(FileFailure) -> Void
  ) -> Outcome {
    let input = Input(options)
    var outcome = projectSchema().outcome
    guard outcome.errorCount == 0 else { return outcome }
    do throws(FileFailure) {
      try change(input, &outcome)
      let lock = MigrationLock(input.folder.migrations)
      let known = Set(input.lock.lines.map(\.name))
      let new = lock.lines.map(\.name).filter { !known.contains($0) }
      if !new.isEmpty {
        try TextFile.write(
          Array(lock.text.utf8), to: Paths.join(input.migrations, MigrationLock.fileName))
      }
      outcome.locked = new
    } catch {
      outcome.add(error, usesColor: options.usesColor)
    }
    return outcome
  }
}

/// The names of migration files.
public enum MigrationName {
  /// Returns the words of a name, joined by `_`; `nil` if it contains other characters.
  public static func slug(_ name: String) -> String? {
    let words = name.split { " _-".contains($0) }
    let isUsable = words.allSatisfy { word in
      word.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
    }
    let slug = words.joined(separator: "_").lowercased()
    return isUsable && !slug.isEmpty && slug.utf8.count <= 100 ? slug : nil
  }

  /// Returns the number of the next migration, which has the same length as the last one: the
  /// current time if the last number is a timestamp, otherwise its successor.
  public static func number(after names: [String], at now: Date) -> String {
    let numbers = names.compactMap { name in
      MigrationNumber(name).map { ($0, name.prefix { $0.isASCII && $0.isNumber }) }
    }
    guard let last = numbers.max(by: { $0.0 < $1.0 })?.1 else { return "001" }
    if [8, 10, 12, 14].contains(last.count), last.hasPrefix("19") || last.hasPrefix("20") {
      let time = String(timestamp(now).prefix(last.count))
      if let now = MigrationNumber(time), let before = MigrationNumber(String(last)), before < now {
        return time
      }
    }
    // The number is incremented digit by digit, since it may have any number of digits.
    var digits = Array(last.utf8)
    var index = digits.count - 1
    while index >= 0, digits[index] == UInt8(ascii: "9") {
      digits[index] = UInt8(ascii: "0")
      index -= 1
    }
    if index >= 0 { digits[index] += 1 } else { digits.insert(UInt8(ascii: "1"), at: 0) }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Returns the number of the next migration at the current time.
  public static func number(after names: [String]) -> String { number(after: names, at: Date()) }

  /// A timestamp in UTC, such as `20261122143005`.
  private static func timestamp(_ date: Date) -> String {
    let parts = Calendar(identifier: .iso8601).dateComponents(
      in: .gmt, from: date)
    let numbers = [
      (parts.year, 4), (parts.month, 2), (parts.day, 2), (parts.hour, 2), (parts.minute, 2),
      (parts.second, 2),
    ]
    return numbers.map { number, width in
      let digits = String(number ?? 0)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }.joined()
  }
}

extension Diagnostic.Identity {
  static let invalidMigrationName = Self(rawValue: "invalid-migration-name")
}
