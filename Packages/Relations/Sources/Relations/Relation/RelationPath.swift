internal import SQLiteCore

/// A way to other rows by relations, step by step: for lists that are read through other tables.
///
/// ```swift
/// // from a student by enrolments to courses, and on to those who teach them
/// var teachers = ManyRelation<Teacher>(
///   via: RelationPath(\Enrolment.student).to(\.course).from(\Lesson.course).to(\.teacher))
/// ```
public struct RelationPath<Target: Table>: Sendable {
  let steps: [RelationStep]

  /// The rows whose relation is the list's owner.
  public init<Owner: TableModel>(_ inverse: any KeyPath<Target, OneRelation<Owner>> & Sendable) {
    steps = [.inverse(ToOneProperty(inverse))]
  }

  private init(_ steps: [RelationStep]) { self.steps = steps }

  /// On to the rows that a to-one relation leads to.
  public func to<Next: TableModel>(
    _ relation: any KeyPath<Target, OneRelation<Next>> & Sendable
  ) -> RelationPath<Next.Row> {
    RelationPath<Next.Row>(steps + [.to(ToOneProperty(relation))])
  }

  /// On to the rows whose to-one relation leads back.
  public func from<Next: Table, Back: TableModel>(
    _ inverse: any KeyPath<Next, OneRelation<Back>> & Sendable
  ) -> RelationPath<Next> where Back.Row == Target {
    RelationPath<Next>(steps + [.inverse(ToOneProperty(inverse))])
  }
}

enum RelationStep: Sendable {
  /// To rows of the property's table, whose property is where the path is by now.
  case inverse(ToOneProperty)
  /// By a property of the table where the path is by now.
  case to(ToOneProperty)
}

/// A to-one relation as a property of its type.
struct ToOneProperty: Sendable {
  let owner: any Table.Type
  let target: any Table.Type
  /// Its name.
  let name: @Sendable () throws -> String

  init<Row: Table, Target: TableModel>(_ path: any KeyPath<Row, OneRelation<Target>> & Sendable) {
    owner = Row.self
    target = Target.Row.self
    name = { try RelationName.of(Row()[keyPath: path], in: Row.self, path) }
  }

  /// Its columns.
  func columns() throws -> [String] {
    let shape = try TableMetadata.of(owner)
    return try shape.places(of: name()).map { shape.columns[$0].name }
  }
}

enum RelationName {
  /// The name of the property that a key path leads to.
  static func of<Row: Table, Relation: AnyRelation>(
    _ relation: Relation, in type: Row.Type, _ path: any KeyPath<Row, Relation> & Sendable
  ) throws -> String {
    let row = Row()
    let relation = row[keyPath: path]
    let properties = try RowEncoder.Properties(of: row).all
    guard let found = properties.first(where: { $0.value as AnyObject? === relation }) else {
      throw RelationError(
        .schemaMismatch, "the relation is no property that is encoded", table: Row.tableName)
    }
    return found.name
  }
}

/// Tables that are joined, from those whose rows refer to an owner to those that have the keys of the rows that are meant.
struct JoinPath: Sendable {
  /// What stands behind `FROM`.
  let tables: String
  let ownerExpressions: [String]
  /// The keys of the rows that are meant.
  let targetExpressions: [String]
  /// The tables that are joined.
  let tableNames: [String]
  /// The key of the link, where each row of the one table that is between makes a row of its own.
  let linkKeys: [String]?

  /// - Parameter hasLinks: Whether the way is by one table, whose rows are links.
  init(_ steps: [RelationStep], hasLinks: Bool) throws {
    var tables = ""
    var names: [String] = []
    var owner: [String] = []
    // What the path leads to by now: the columns that hold the key.
    var reached: [String] = []
    var current: (alias: String, shape: TableMetadata)?
    for (place, step) in steps.enumerated() {
      let alias = "holt_s\(place)"
      switch step {
      case .inverse(let property):
        let shape = try TableMetadata.of(property.owner)
        names.append(shape.table)
        let columns = try property.columns().map { "\(alias).\(SQLName.quoted($0))" }
        if place == 0 {
          tables = shape.source(as: alias)
          owner = columns
        } else {
          tables +=
            " JOIN \(shape.source(as: alias)) ON "
            + zip(columns, reached).map { "\($0) = \($1)" }.joined(separator: " AND ")
        }
        current = (alias, shape)
        reached = shape.keyNames.map { "\(alias).\(SQLName.quoted($0))" }
      case .to(let property):
        if current == nil {
          // The row that the step before led to has to be looked at.
          let shape = try TableMetadata.of(property.owner)
          names.append(shape.table)
          let keys = shape.keyNames.map { "\(alias).\(SQLName.quoted($0))" }
          tables +=
            " JOIN \(shape.source(as: alias)) ON "
            + zip(keys, reached).map { "\($0) = \($1)" }.joined(separator: " AND ")
          current = (alias, shape)
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
    linkKeys = try TableMetadata.of(property.owner).keyNames.map { "holt_s0.\(SQLName.quoted($0))" }
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
