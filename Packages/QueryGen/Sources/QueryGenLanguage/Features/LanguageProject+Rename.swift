internal import Primitives
internal import QueryGenDriver
internal import SQLSemantics
public import SQLSyntax

/// The changes of a rename.
public struct Rename: Hashable, Sendable {
  /// The changes by path.
  public var changes: [String: [TextChange]]
  /// A new migration, if the object is defined in a released one.
  public var newFile: NewFile?
  /// A consequence that the author must know, if any.
  public var note: String?

  public init(
    changes: [String: [TextChange]], newFile: NewFile? = nil, note: String? = nil
  ) {
    self.changes = changes
    self.newFile = newFile
    self.note = note
  }
}

/// A file that a change creates.
public struct NewFile: Hashable, Sendable {
  public var path: String
  public var text: String
}

/// A reason why a name can't be changed.
public struct RenameFailure: Error, Hashable, Sendable {
  public var message: String

  public init(_ message: String) { self.message = message }
}

extension LanguageProject {
  /// Returns the span of the name at an offset if it can be changed.
  public mutating func renamable(
    _ path: String, at offset: ByteOffset
  ) throws(RenameFailure) -> (span: ByteSpan, name: String) {
    guard let (object, span) = object(path, at: offset), let source = file(path)?.source else {
      throw RenameFailure("there is no name here")
    }
    if case .function = object { throw RenameFailure("a function of SQLite can't be renamed") }
    var name = source.unquoted(span)
    if case .parameter = object {
      guard name.count > 1, !name.hasPrefix("?") else {
        throw RenameFailure("the parameter has no name")
      }
      name.removeFirst()
    }
    if case .table(let table) = object {
      guard let found = definitions.objects[table] else {
        throw RenameFailure("no migration defines `\(table)`")
      }
      if !Identifier(found.name, span: span).matches(name) { name = found.name }
    }
    if case .column(let table, let column) = object {
      guard let found = definitions.column(column, of: table) else {
        throw RenameFailure("no migration defines a column `\(column)` of `\(table)`")
      }
      if !Identifier(found.name, span: span).matches(name) { name = found.name }
    }
    return (span, name)
  }

  /// Returns the changes that rename the object at an offset. The project has no more errors after
  /// them than before.
  public mutating func rename(
    _ path: String, at offset: ByteOffset, to newName: String
  ) throws(RenameFailure) -> Rename {
    let (_, oldName) = try renamable(path, at: offset)
    guard let (object, _) = object(path, at: offset) else {
      throw RenameFailure("there is no name here")
    }
    guard !newName.isEmpty, !newName.contains("\0") else {
      throw RenameFailure("the new name is empty")
    }
    finish()
    var rename: Rename
    switch object {
    case .parameter:
      guard newName.isPlainName else {
        throw RenameFailure("`\(newName)` is not a valid name for a parameter")
      }
      rename = Rename(changes: changes(of: [object], to: newName))
    case .local: rename = Rename(changes: changes(of: [object], to: newName))
    case .query:
      guard newName.utf8.allSatisfy({ $0 >= 0x80 || $0 == 0x5F || $0.isAlphanumeric }) else {
        throw RenameFailure("`\(newName)` is not a valid name for a query")
      }
      rename = Rename(
        changes: changes(of: [object], to: newName),
        note: "Swift code that uses `\(oldName)` must be changed too")
    case .table, .column: rename = try renameDefinition(object, from: oldName, to: newName)
    case .function: throw RenameFailure("a function of SQLite can't be renamed")
    }
    try check(rename)
    return rename
  }

  /// Renames a table or column: in its migration, or by a new one if any migration that names it
  /// was released.
  private mutating func renameDefinition(
    _ object: NamedObject, from oldName: String, to newName: String
  ) throws(RenameFailure) -> Rename {
    let objects = withViewColumns(object)
    var changes = changes(of: objects, to: newName)
    let migrations = input.folder.migrations.map(\.path)
    let note = "Swift code that uses `\(oldName)` must be changed too"
    let isReleased = migrations.contains { changes[$0] != nil && isLocked($0) }
    let declaration = declarations(of: object)
    // A name that an earlier migration spells differently can only be changed by a new migration.
    guard isReleased || declaration.count > 1 else { return Rename(changes: changes, note: note) }
    for path in migrations { changes[path] = nil }
    let quotedNew = newName.isPlainName ? newName : newName.doubleQuoted
    let sql: String
    switch object {
    case .table(let table):
      let name = definitions.objects[table]?.name ?? table
      sql = "ALTER TABLE \(Self.spelled(name)) RENAME TO \(quotedNew);\n"
    case .column(let table, let column):
      let name = definitions.objects[table]?.name ?? table
      let old = definitions.column(column, of: table)?.name ?? column
      sql =
        "ALTER TABLE \(Self.spelled(name)) RENAME COLUMN \(Self.spelled(old)) TO \(quotedNew);\n"
    default: return Rename(changes: changes, note: note)
    }
    if case .table(let table) = object, definitions.objects[table]?.kind == .view {
      throw RenameFailure("SQLite can't rename a view; create it again in a new migration")
    }
    let number = MigrationName.number(after: input.folder.migrations.map(\.name))
    let slug = MigrationName.slug("rename \(oldName) to \(newName)") ?? "rename"
    return Rename(
      changes: changes,
      newFile: NewFile(
        path: Paths.join(input.migrations, "\(number)_\(slug).sql"), text: sql), note: note)
  }

  private static func spelled(_ name: String) -> String {
    name.isPlainName ? name : name.doubleQuoted
  }

  /// Returns a column and the columns of views that have its name because they select it.
  private mutating func withViewColumns(_ object: NamedObject) -> [NamedObject] {
    guard case .column(_, let name) = object else { return [object] }
    var objects = [object]
    var isChanged = true
    while isChanged {
      isChanged = false
      for file in input.folder.migrations where file.source.mentions("view") {
        let path = file.path
        for entry in trace(path).entries {
          guard case .createView(let view) = entry.trace.statement, view.columns.isEmpty,
            case .query(let query) = view.select.first
          else { continue }
          let column = NamedObject.column(
            table: view.name.name.folded, column: name)
          guard !objects.contains(column) else { continue }
          let passes = query.columns.contains { result in
            guard case .expression(.column(let node), nil) = result.kind,
              let reference = entry.trace.reference(at: node.column.span.start),
              let found = self.object(reference, path: path)
            else { return false }
            return objects.contains(found)
          }
          if passes {
            objects.append(column)
            isChanged = true
          }
        }
      }
    }
    return objects
  }

  /// Returns the changes of all occurrences.
  private mutating func changes(of objects: [NamedObject], to newName: String) -> [String:
    [TextChange]]
  {
    var changes: [String: [TextChange]] = [:]
    for object in objects {
      for occurrence in occurrences(of: object) {
        let place = occurrence.place
        guard let source = file(place.path)?.source else { continue }
        let old = source[place.span]
        var text = newName.isPlainName ? newName : newName.doubleQuoted
        if case .parameter = object { text = String(old.prefix(1)) + newName }
        if case .query = object { text = newName }
        if case .other = kind(of: place.path) {
          text = newName
          if case .table(let name) = object, name.hasPrefix("temp.") { text = "temp." + newName }
        }
        let change = TextChange(replace: place.span, with: text)
        if changes[place.path]?.contains(change) != true {
          changes[place.path, default: []].append(change)
        }
      }
    }
    return changes.mapValues { $0.sorted { $0.span.start < $1.span.start } }
  }

  /// Makes the changes in a copy of the project, and fails if it has new errors.
  private func check(_ rename: Rename) throws(RenameFailure) {
    var changed: [String: [UInt8]] = [:]
    for (path, changes) in rename.changes {
      guard var bytes = file(path)?.source.bytes else { continue }
      for change in changes.reversed() {
        bytes.replaceSubrange(change.span.range, with: change.replacement.utf8)
      }
      changed[path] = bytes
    }
    var copy = self
    let isReloaded = rename.newFile != nil || changed.keys.contains { kind(of: $0) == .other }
    if isReloaded, !isSingleFile {
      var openFiles = changed
      for path in paths where openFiles[path] == nil { openFiles[path] = file(path)?.source.bytes }
      if let file = rename.newFile { openFiles[file.path] = Array(file.text.utf8) }
      copy.reload(openFiles: openFiles)
    } else {
      for (path, bytes) in changed { copy.change(path, to: bytes, openFiles: [:]) }
    }
    copy.finish()
    let before = errors
    let after = copy.errors
    guard after.count > before.count else { return }
    let known = Set(before)
    throw RenameFailure(after.first { !known.contains($0) } ?? "the new name is in use")
  }

  private var errors: [String] {
    paths.flatMap { diagnostics(of: $0) }.filter { $0.severity == .error }.map(\.message)
  }
}

extension UInt8 {
  fileprivate var isAlphanumeric: Bool {
    (48...57).contains(self) || (65...90).contains(self) || (97...122).contains(self)
  }
}
