// Many models that are saved together.
extension SaveBuilder {
  /// Adds models in their order, but for those that are as their rows: what follows one another of a type is looked at together.
  mutating func add(_ models: [any Model]) throws {
    var rest = models[...]
    while let first = rest.first {
      let count = try add(first, alikeOf: rest)
      rest = rest.dropFirst(count)
    }
  }

  /// Adds the first model, and those behind it of its type.
  ///
  /// - Returns: How many these are, with the first.
  private mutating func add<M: Model>(
    _ first: M, alikeOf models: ArraySlice<any Model>
  ) throws -> Int {
    var alike = [first]
    for model in models.dropFirst() {
      guard type(of: model) == M.self, let model = model as? M else { break }
      alike.append(model)
    }
    try session.identities(of: M.self).add(alike, to: &self)
    return alike.count
  }
}
