internal import SQLiteCore

/// A path to other rows through relations, for lists that are read through other tables.
///
/// ```swift
/// // from a student through enrolments to courses, and to the teachers of these courses
/// var teachers = ManyRelation<Teacher>(
///   via: RelationPath(\Enrolment.student).to(\.course).from(\Lesson.course).to(\.teacher))
/// ```
public struct RelationPath<Target: Table>: Sendable {
  let steps: [RelationStep]

  /// Begins with the rows whose relation refers to the list's owner.
  public init<Owner: TableModel>(_ inverse: any KeyPath<Target, OneRelation<Owner>> & Sendable) {
    steps = [.inverse(ToOneProperty(inverse))]
  }

  private init(_ steps: [RelationStep]) { self.steps = steps }

  /// Continues to the rows that a to-one relation refers to.
  public func to<Next: TableModel>(
    _ relation: any KeyPath<Target, OneRelation<Next>> & Sendable
  ) -> RelationPath<Next.Row> {
    RelationPath<Next.Row>(steps + [.to(ToOneProperty(relation))])
  }

  /// Continues to the rows whose to-one relation refers back.
  public func from<Next: Table, Back: TableModel>(
    _ inverse: any KeyPath<Next, OneRelation<Back>> & Sendable
  ) -> RelationPath<Next> where Back.Row == Target {
    RelationPath<Next>(steps + [.inverse(ToOneProperty(inverse))])
  }
}

enum RelationStep: Sendable {
  /// To the rows whose property refers to the current table.
  case inverse(ToOneProperty)
  /// To the rows that a property of the current table refers to.
  case to(ToOneProperty)
}

/// A to-one relation, identified by the property of its type.
struct ToOneProperty: Sendable {
  let owner: any Table.Type
  let target: any Table.Type
  /// Returns the property's name.
  let name: @Sendable () throws -> String

  init<Row: Table, Target: TableModel>(_ path: any KeyPath<Row, OneRelation<Target>> & Sendable) {
    owner = Row.self
    target = Target.Row.self
    name = { try Row.propertyName(of: path) }
  }

  /// Returns the property's columns.
  func columns() throws -> [String] {
    let metadata = try TableMetadata.of(owner)
    return try metadata.columnIndexes(of: name()).map { metadata.columns[$0].name }
  }
}

extension Table {
  /// Returns the name of the relation at a key path.
  static func propertyName<Relation: AnyRelation>(
    of path: any KeyPath<Self, Relation> & Sendable
  ) throws -> String {
    let row = Self()
    let relation = row[keyPath: path]
    let properties = try RowEncoder.Properties(of: row).all
    guard let found = properties.first(where: { $0.value as AnyObject? === relation }) else {
      throw RelationError(
        .schemaMismatch, "the relation is not an encoded property", table: tableName)
    }
    return found.name
  }
}

/// A join of tables: from the table whose rows refer to an owner to the table that holds the keys
/// of the target rows.
struct JoinPath: Sendable {
  /// The text after `FROM`.
  let tables: String
  let ownerExpressions: [String]
  /// The keys of the target rows.
  let targetExpressions: [String]
  /// The joined tables.
  let tableNames: [String]
  /// The key of the link, if the path has one intermediate table and each of its rows is a link.
  let linkKeys: [String]?

  /// - Parameter hasLinks: Whether the path has one intermediate table, whose rows are links.
  init(_ steps: [RelationStep], hasLinks: Bool) throws {
    var tables = ""
    var names: [String] = []
    var owner: [String] = []
    // The columns that hold the key of the table reached so far.
    var reached: [String] = []
    var current: (alias: String, metadata: TableMetadata)?
    for (place, step) in steps.enumerated() {
      let alias = "holt_s\(place)"
      switch step {
      case .inverse(let property):
        let metadata = try TableMetadata.of(property.owner)
        names.append(metadata.table)
        let columns = try property.columns().map { "\(alias).\(SQLName.quoted($0))" }
        if place == 0 {
          tables = metadata.source(as: alias)
          owner = columns
        } else {
          tables +=
            " JOIN \(metadata.source(as: alias)) ON \(Self.condition(columns, reached))"
        }
        current = (alias, metadata)
        reached = metadata.keyColumns(of: alias)
      case .to(let property):
        if current == nil {
          // The next step reads a column of the row that the previous step reached, so its table is
          // joined.
          let metadata = try TableMetadata.of(property.owner)
          names.append(metadata.table)
          let keys = metadata.keyColumns(of: alias)
          tables += " JOIN \(metadata.source(as: alias)) ON \(Self.condition(keys, reached))"
          current = (alias, metadata)
        }
        let name = current?.alias ?? alias
        reached = try property.columns().map { "\(name).\(SQLName.quoted($0))" }
        current = nil
      }
    }
    self.tables = tables
    tableNames = names
    ownerExpressions = owner
    targetExpressions = reached
    guard hasLinks, let property = steps.first?.inverseProperty else {
      linkKeys = nil
      return
    }
    linkKeys = try TableMetadata.of(property.owner).keyColumns(of: "holt_s0")
  }

  /// Returns a condition that holds if all pairs of expressions are equal.
  static func condition(_ a: [String], _ b: [String]) -> String {
    zip(a, b).map { "\($0) = \($1)" }.joined(separator: " AND ")
  }
}

extension RelationStep {
  var inverseProperty: ToOneProperty? {
    if case .inverse(let property) = self { property } else { nil }
  }

  var property: ToOneProperty {
    switch self {
    case .inverse(let property), .to(let property): property
    }
  }
}
