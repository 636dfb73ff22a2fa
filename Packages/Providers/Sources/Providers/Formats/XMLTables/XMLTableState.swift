/// A table that is being filled.
final class XMLTableState {
  let builder: TableCollector.Builder
  let parent: TableCollector.Builder?
  var layout: XMLTablesLayout.Table
  let parentColumn: Int?
  let positionColumn: Int?
  /// The columns of the layout, by their numbers in the builder.
  var indexes: [Int] = []
  var names: Set<ExactText>

  init(
    builder: TableCollector.Builder, parent: TableCollector.Builder?, layout: XMLTablesLayout.Table
  ) {
    self.builder = builder
    self.parent = parent
    self.layout = layout
    var names: Set<ExactText> = []
    func column(_ name: String) -> Int {
      names.insert(name)
      return builder.column(name)
    }
    parentColumn = layout.parent == nil ? nil : column(XMLTablesLayout.parentColumn)
    positionColumn =
      layout.parent == nil && !layout.isOrdered ? nil : column(XMLTablesLayout.positionColumn)
    self.names = names
  }

  /// A new column of this name, or of one like it where that is another's.
  func column(_ name: String) -> Int {
    var name = name
    while !names.insert(name) { name += "_" }
    return builder.column(name)
  }

  /// The layout, with what is known at the end.
  var finished: XMLTablesLayout.Table {
    var layout = layout
    layout.key = builder.keyColumn
    for (at, index) in indexes.enumerated() { layout.columns[at].form = builder.form(of: index) }
    return layout
  }
}
