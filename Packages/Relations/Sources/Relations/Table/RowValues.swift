internal import SQLiteCore

/// Encodes rows of a type, one after the other: the values of their columns.
final class RowValues {
  private let shape: TableMetadata
  /// Rows that are read directly need none of the following.
  private lazy var binding = RowEncoder.Binding(
    // Relations that have several columns take one here, which is left out.
    columns: plain.map { shape.columns[$0].name } + shape.compositeReferences.map(\.property),
    replacing: TableMetadata.replacement)
  /// The places of the columns that are encoded by their own names.
  private lazy var plain: [Int] = {
    let composite = Set(shape.compositeReferences.flatMap(\.columns))
    return shape.columns.indices.filter { !composite.contains($0) }
  }()

  init(_ shape: TableMetadata) { self.shape = shape }

  /// The values of a row, in the order of the shape's columns.
  func values<Row: Table>(of row: Row) throws -> [SQLiteValue] {
    if let known = shape.accessors(Row.self)?.values(of: row) { return known }
    let own = try binding.values(of: row)
    if shape.compositeReferences.isEmpty { return own }
    var values = [SQLiteValue](repeating: .null, count: shape.columns.count)
    for (place, value) in zip(plain, own) { values[place] = value }
    let properties = try RowEncoder.Properties(of: row)
    for composite in shape.compositeReferences {
      guard let one = properties[composite.property]?.value as? any AnyOneRelation else { continue }
      for (place, value) in zip(composite.columns, one.columnValues) { values[place] = value }
    }
    return values
  }
}
