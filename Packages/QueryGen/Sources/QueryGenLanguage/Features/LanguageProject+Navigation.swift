internal import Primitives
internal import QueryGenDriver
internal import SQLSemantics
public import SQLSyntax

/// A place in a file of the project.
public struct FilePlace: Hashable, Sendable {
  public var path: String
  public var span: ByteSpan

  public init(path: String, span: ByteSpan) {
    self.path = path
    self.span = span
  }
}

/// The object that a name refers to, across the files of a project.
public enum NamedObject: Hashable, Sendable {
  /// A table or view, in the form in which SQLite compares names.
  case table(String)
  case column(table: String, column: String)
  /// An object that a statement declares at a span, such as an alias.
  case local(FilePlace)
  /// A parameter of the statement that begins at a place.
  case parameter(Int, of: FilePlace)
  case query(String)
  case function(String)

  init?(_ reference: NameReference, path: String) {
    switch reference.target {
    case .table(let name): self = .table(name.asciiLowercased)
    case .column(let table, let column):
      self = .column(table: table.asciiLowercased, column: column.asciiLowercased)
    case .local(let span): self = .local(FilePlace(path: path, span: span))
    case .function(let name): self = .function(name)
    case .row, .collation: return nil
    }
  }

  fileprivate func renamed(by renaming: DefinitionLog.Renaming) -> NamedObject {
    switch self {
    case .table(renaming.table) where renaming.column == nil: .table(renaming.newName)
    case .column(renaming.table, let column) where renaming.column == column:
      .column(table: renaming.table, column: renaming.newName)
    case .column(renaming.table, let column) where renaming.column == nil:
      .column(table: renaming.newName, column: column)
    default: self
    }
  }
}

/// An occurrence of a name.
public struct Occurrence: Hashable, Sendable {
  public var place: FilePlace
  public var isDeclaration: Bool
  public var isWrite: Bool
}

extension LanguageProject {
  /// Returns the object at an offset, and the span of its name.
  public mutating func object(
    _ path: String, at offset: ByteOffset
  ) -> (object: NamedObject, span: ByteSpan)? {
    let trace = trace(path)
    for entry in trace.entries {
      guard let query = entry.query else { continue }
      if query.name.span.start <= offset, offset <= query.name.span.end {
        return (.query(query.name.text), query.name.span)
      }
    }
    guard let entry = trace.entry(at: offset) else { return nil }
    if let parameter = entry.trace.parameter(at: offset),
      let span = parameter.spans.first(where: { $0.start <= offset && offset <= $0.end })
    {
      return (
        .parameter(parameter.index, of: FilePlace(path: path, span: entry.span)), span
      )
    }
    guard let reference = entry.trace.reference(at: offset),
      let object = object(reference, path: path)
    else { return nil }
    return (object, reference.span)
  }

  /// Returns the object that a name refers to. A table or column has its name after all migrations.
  func object(_ reference: NameReference, path: String) -> NamedObject? {
    guard let object = NamedObject(reference, path: path) else { return nil }
    let renamings = definitions.renamings
    guard !renamings.isEmpty, case .migration(let index) = kind(of: path) else { return object }
    return renamings.reduce(object) { object, renaming in
      guard case .migration(let other) = kind(of: renaming.path),
        other > index || other == index && reference.span.start < renaming.span.end
      else { return object }
      return object.renamed(by: renaming)
    }
  }

  /// Returns the names that a table or column with a name may have had before.
  private func earlierNames(of name: String) -> [String] {
    definitions.renamings.reversed().reduce(into: [name]) { names, renaming in
      if names.contains(renaming.newName) { names.append(renaming.column ?? renaming.table) }
    }
  }

  /// Returns the places that declare an object: its definition first, then the statements that
  /// changed it.
  public mutating func declarations(of object: NamedObject) -> [FilePlace] {
    replay()
    switch object {
    case .table(let name):
      guard let object = definitions.objects[name] ?? attachedDefinitions.objects[name]
      else { return [] }
      return ([object.definition] + object.changes).map(FilePlace.init)
    case .column(let table, let column):
      if let found = definitions.column(column, of: table)
        ?? attachedDefinitions.column(column, of: table)
      {
        return ([found.definition] + found.changes).map(FilePlace.init)
      }
      // The columns of a view without a column list, and of a virtual table, have no definition.
      return (definitions.objects[table] ?? attachedDefinitions.objects[table])
        .map { [FilePlace($0.definition)] } ?? []
    case .local(let place): return [place]
    case .parameter(let index, let statement):
      let spans =
        trace(statement.path).entries.first { $0.span == statement.span }?.trace.parameters
        .first { $0.index == index }?.spans ?? []
      return spans.prefix(1).map { FilePlace(path: statement.path, span: $0) }
    case .query(let name):
      for path in paths {
        for entry in trace(path).entries where entry.query?.name.text == name {
          guard let span = entry.query?.name.span else { continue }
          return [FilePlace(path: path, span: span)]
        }
      }
      return []
    case .function: return []
    }
  }

  /// Returns all occurrences of an object, in the order of the files.
  ///
  /// - Parameters:
  ///   - path: The only file to search; `nil` for all files.
  ///   - isCancelled: Returns whether to stop early.
  public mutating func occurrences(
    of object: NamedObject, in path: String? = nil, isCancelled: () -> Bool = { false }
  ) -> [Occurrence] {
    replay()
    switch object {
    case .local(let place):
      guard path == nil || path == place.path else { return [] }
      return occurrences(in: trace(place.path), place.path) {
        NamedObject($0, path: place.path) == object
      }
    case .parameter(let index, let statement):
      guard path == nil || path == statement.path else { return [] }
      let entry = trace(statement.path).entries.first { $0.span == statement.span }
      let spans = entry?.trace.parameters.first { $0.index == index }?.spans ?? []
      return spans.enumerated().map { number, span in
        Occurrence(
          place: FilePlace(path: statement.path, span: span), isDeclaration: number == 0,
          isWrite: false)
      }
    case .query(let name):
      return declarations(of: object).filter { path == nil || $0.path == path }.map {
        Occurrence(place: $0, isDeclaration: true, isWrite: false)
      } + configurationOccurrences(in: path) { $0.matches(query: name) }
    case .table(let name), .function(let name):
      // The name of a schema may be absent from the text.
      let names = earlierNames(of: name).map { name in
        name.split(separator: ".").last.map(String.init) ?? name
      }
      return occurrences(of: object, named: names, in: path, isCancelled)
        + configurationOccurrences(in: path) { object == .table(name) && $0.matches(table: name) }
    case .column(let table, let column):
      return occurrences(of: object, named: earlierNames(of: column), in: path, isCancelled)
        + configurationOccurrences(in: path) { $0.matches(column: column, of: table) }
    }
  }

  /// Returns the occurrences in the files that contain one of the names.
  private mutating func occurrences(
    of object: NamedObject, named names: [String], in path: String?, _ isCancelled: () -> Bool
  ) -> [Occurrence] {
    var found: [Occurrence] = []
    for candidate in path.map({ [$0] }) ?? paths {
      guard !isCancelled() else { return found }
      guard let source = file(candidate)?.source else { continue }
      guard names.contains(where: source.mentions) else { continue }
      let trace = trace(candidate)
      // A closure that captures the mutable project would copy it for each reference.
      let project = self
      found += occurrences(in: trace, candidate) { project.object($0, path: candidate) == object }
    }
    return found
  }

  private func occurrences(
    in trace: FileTrace, _ path: String, where matches: (NameReference) -> Bool
  ) -> [Occurrence] {
    trace.entries.flatMap { entry in
      entry.trace.references.filter(matches).map {
        Occurrence(
          place: FilePlace(path: path, span: $0.span), isDeclaration: $0.isDeclaration,
          isWrite: $0.isWrite)
      }
    }
  }

  private func configurationOccurrences(
    in path: String?, where matches: (ProjectConfiguration.Reference.Subject) -> Bool
  ) -> [Occurrence] {
    guard let file = input.configurationFile, path == nil || path == file.path else { return [] }
    return input.configuration.references.filter { matches($0.subject) }.map {
      Occurrence(
        place: FilePlace(path: file.path, span: $0.span), isDeclaration: false, isWrite: false)
    }
  }
}

extension FilePlace {
  init(_ place: DefinitionLog.Place) { self.init(path: place.path, span: place.name) }
}

extension ProjectConfiguration.Reference.Subject {
  fileprivate func matches(query name: String) -> Bool {
    if case .query(name) = self { true } else { false }
  }

  fileprivate func matches(table name: String) -> Bool {
    if case .table(let table) = self { table.asciiLowercased == name } else { false }
  }

  fileprivate func matches(column name: String, of table: String) -> Bool {
    if case .column(let column, let owner) = self {
      column.asciiLowercased == name && owner.asciiLowercased == table
    } else {
      false
    }
  }
}
