internal import SQLiteCore

/// What was called otherwise before, which two schemas do not tell: a table, or a column of one.
///
/// ```swift
/// Renaming("users=people")        // a table
/// Renaming("people.mail=email")   // a column, of a table by its new name or its old one
/// ```
///
/// A name may stand in double quotes, and has to where it holds a point, `=` or quotes, which are doubled.
public struct Renaming: Hashable, Sendable {
  /// The column's table; `nil` where a table itself was renamed.
  public var table: String?
  public var old: String
  public var new: String

  public init(table: String? = nil, old: String, new: String) {
    self.table = table
    self.old = old
    self.new = new
  }

  /// Reads `old=new` or `table.old=new`; `nil` for anything else.
  public init?(_ text: String) {
    var names: [String] = []
    var separators = ""
    var rest = text[...]
    while true {
      guard let name = Self.takeName(&rest) else { return nil }
      names.append(name)
      guard let separator = rest.popFirst() else { break }
      separators.append(separator)
    }
    switch separators {
    case "=": self.init(old: names[0], new: names[1])
    case ".=": self.init(table: names[0], old: names[1], new: names[2])
    default: return nil
    }
  }

  private static func takeName(_ rest: inout Substring) -> String? {
    guard rest.first == "\"" else {
      let name = rest.prefix { $0 != "." && $0 != "=" && $0 != "\"" }
      rest = rest.dropFirst(name.count)
      return name.isEmpty ? nil : String(name)
    }
    rest.removeFirst()
    var name = ""
    while let character = rest.popFirst() {
      if character == "\"" {
        guard rest.first == "\"" else { return name.isEmpty ? nil : name }
        rest.removeFirst()
      }
      name.append(character)
    }
    return nil
  }
}

extension SchemaDiff.Options {
  /// Declares what was renamed.
  mutating func declare(_ renamings: [Renaming]) {
    for renaming in renamings where renaming.table == nil {
      renamedTables[renaming.old] = renaming.new
    }
    for renaming in renamings {
      guard let table = renaming.table else { continue }
      renamedColumns[renamedTables[table] ?? table, default: [:]][renaming.old] = renaming.new
    }
  }
}
