import Relations

final class Twig: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Twig"
    var id = 0
    var name = ""
    var parent = OneRelation<Twig>()
    var children = ManyRelation<Twig>(\.parent, orderedBy: "name DESC")
    var links = ManyRelation<Twig>()
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// The same rows as values.
struct Leaf: Table {
  // The compiler needs this for a value with a list of the same type.
  typealias Row = Leaf
  var id = 0
  var name = ""
  var parent: OneRelation<Leaf> = OneRelation()
  var children: ManyRelation<Leaf> = ManyRelation(\Leaf.parent)
}
