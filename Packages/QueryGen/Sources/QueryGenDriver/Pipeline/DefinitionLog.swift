internal import Primitives
public import SQLSyntax

/// The places in migrations that define the objects of the schema, and change them later.
///
/// A table that is rebuilt, by creating a new table, copying the rows, dropping the old table and
/// renaming the new one, is defined by the new one.
public struct DefinitionLog: Sendable {
  public init() {}

  /// A place in a migration.
  public struct Place: Hashable, Sendable {
    public var path: String
    /// The whole statement, or the definition of the column.
    public var span: ByteSpan
    /// The name.
    public var name: ByteSpan
  }

  /// The kinds of object.
  public enum Kind: String, Hashable, Sendable {
    case table, view, index, trigger
    case virtualTable = "virtual table"
  }

  /// A table, view, index or trigger.
  public struct Object: Hashable, Sendable {
    public var name: String
    public var kind: Kind
    public var definition: Place
    /// The later statements that changed it, in order.
    public var changes: [Place] = []
    public var columns: [Column] = []
    /// The table of an index or trigger, as SQLite compares it.
    public var table: String?
  }

  public struct Column: Hashable, Sendable {
    public var name: String
    public var definition: Place
    public var changes: [Place] = []
  }

  /// A statement after which a table or column has another name. All names are as SQLite compares
  /// them.
  public struct Renaming: Hashable, Sendable {
    public var path: String
    /// The statement.
    public var span: ByteSpan
    /// The table, by its name before the statement.
    public var table: String
    /// The column's old name, if a column is renamed.
    public var column: String?
    public var newName: String
  }

  /// The renamings, in order.
  public private(set) var renamings: [Renaming] = []

  /// The objects, by name as SQLite compares it. An index may share no name with a table, but a
  /// trigger may.
  public private(set) var objects: [String: Object] = [:]
  public private(set) var triggers: [String: Object] = [:]

  /// Returns the place that defines a table, view, index or trigger.
  public func object(_ name: String) -> Place? {
    (objects[name.asciiLowercased] ?? triggers[name.asciiLowercased])?.definition
  }

  public func column(_ name: String, of table: String) -> Column? {
    objects[table.asciiLowercased]?.columns.first {
      $0.name.asciiLowercased == name.asciiLowercased
    }
  }

  /// Records the effect of a script's statement.
  ///
  /// - Parameters:
  ///   - statement: A statement of a migration, or of a script of temporary objects.
  ///   - path: The path of the file.
  ///   - attached: The schema name of the attached database whose migration contains the statement;
  ///     `nil` for the project's own files.
  public mutating func apply(_ statement: Statement, path: String, in attached: String? = nil) {
    let prefix =
      statement.createsInTemp ? "temp." : attached.map { "\($0.asciiLowercased)." } ?? ""
    func place(_ span: ByteSpan, _ name: Identifier) -> Place {
      Place(path: path, span: span, name: name.span)
    }
    func add(
      _ name: Identifier, _ kind: Kind, _ span: ByteSpan, columns: [Column] = [],
      table: String? = nil
    ) {
      let object = Object(
        name: name.text, kind: kind, definition: place(span, name), columns: columns, table: table)
      if kind == .trigger {
        if triggers[prefix + name.folded] == nil { triggers[prefix + name.folded] = object }
      } else if objects[prefix + name.folded] == nil {
        objects[prefix + name.folded] = object
      }
    }
    switch statement {
    case .createTable(let node):
      var columns: [Column] = []
      if case .definition(let definition) = node.body {
        columns = definition.columns.map {
          Column(name: $0.name.text, definition: place($0.span, $0.name))
        }
      }
      add(node.name.name, .table, node.span, columns: columns)
    case .createView(let node):
      add(
        node.name.name, .view, node.span,
        columns: node.columns.map { Column(name: $0.text, definition: place($0.span, $0)) })
    case .createVirtualTable(let node): add(node.name.name, .virtualTable, node.span)
    case .createIndex(let node):
      add(node.name.name, .index, node.span, table: prefix + node.table.folded)
    case .createTrigger(let node):
      add(node.name.name, .trigger, node.span, table: prefix + node.table.name.folded)
    case .alterTable(let node): apply(node, path: path, prefix)
    case .drop(let node):
      let key = prefix + node.name.name.folded
      if node.object == .trigger {
        triggers[key] = nil
      } else {
        // A rebuild can rename the old table before it drops it. Its name is then that of the new one.
        if let earlier = renamings.first(where: { $0.column == nil && $0.newName == key }) {
          renamings.append(
            Renaming(path: path, span: node.span, table: key, newName: earlier.table))
        }
        objects[key] = nil
        objects = objects.filter { $0.value.table != key }
        triggers = triggers.filter { $0.value.table != key }
      }
    default: break
    }
  }

  private mutating func apply(_ node: AlterTable, path: String, _ prefix: String) {
    let key = prefix + node.table.name.folded
    guard var object = objects[key] else { return }
    func place(_ name: Identifier) -> Place {
      Place(path: path, span: node.span, name: name.span)
    }
    func index(_ name: Identifier) -> Int? {
      object.columns.firstIndex { name.matches($0.name) }
    }
    switch node.action {
    case .rename(let name):
      renamings.append(
        Renaming(path: path, span: node.span, table: key, newName: name.folded))
      object.name = name.text
      object.changes.append(place(name))
      objects[key] = nil
      for (other, dependent) in objects where dependent.table == key {
        objects[other]?.table = prefix + name.folded
      }
      for (other, dependent) in triggers where dependent.table == key {
        triggers[other]?.table = prefix + name.folded
      }
      objects[prefix + name.folded] = object
      return
    case .renameColumn(let old, let new):
      renamings.append(
        Renaming(
          path: path, span: node.span, table: key, column: old.folded, newName: new.folded))
      if let index = index(old) {
        object.columns[index].name = new.text
        object.columns[index].changes.append(place(new))
      }
      object.changes.append(place(new))
    case .addColumn(let column):
      if index(column.name) == nil {
        object.columns.append(
          Column(
            name: column.name.text,
            definition: Place(path: path, span: column.span, name: column.name.span)))
      }
      object.changes.append(place(column.name))
    case .dropColumn(let name):
      object.columns.removeAll { name.matches($0.name) }
      object.changes.append(place(name))
    case .setNotNull(let name, _), .dropNotNull(let name):
      if let index = index(name) { object.columns[index].changes.append(place(name)) }
      object.changes.append(place(name))
    case .addConstraint, .dropConstraint: object.changes.append(place(node.table.name))
    }
    objects[key] = object
  }
}

extension Statement {
  /// Indicates whether the statement creates an object of the schema `temp` by name.
  fileprivate var createsInTemp: Bool {
    func isTemp(_ name: QualifiedName) -> Bool { name.schema?.folded == "temp" }
    return switch self {
    case .createTable(let node): node.isTemporary || isTemp(node.name)
    case .createView(let node): node.isTemporary || isTemp(node.name)
    case .createVirtualTable(let node): isTemp(node.name)
    case .createIndex(let node): isTemp(node.name)
    case .createTrigger(let node): node.isTemporary || isTemp(node.name)
    default: false
    }
  }
}
