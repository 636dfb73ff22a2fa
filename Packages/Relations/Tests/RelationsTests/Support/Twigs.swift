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

/// The same as values.
struct Leaf: Table {
  // A value whose list leads to its own type has to say this, for the compiler.
  typealias Row = Leaf
  var id = 0
  var name = ""
  var parent: OneRelation<Leaf> = OneRelation()
  var children: ManyRelation<Leaf> = ManyRelation(\Leaf.parent)
}
