import HoltMacros
import Testing

@Suite struct `Case paths` {
  /// A case, and the faults of its path.
  struct Sample: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let faults: @Sendable () -> [String]

    /// - Parameter other: A value of another case, if there is one.
    init<Root: CasePathable, Value>(
      _ name: String, _ path: CasePath<Root, Value>, _ value: Value, _ root: Root,
      not other: Root? = nil
    ) {
      testDescription = "\(Root.self).\(name)"
      faults = {
        let current = root.currentCase
        let extracted = path.extract(from: root)
        let checks = [
          ("the name", path.name == name),
          ("the current case's name", current.name == name),
          ("the current case's value", same(current.value, value)),
          ("what is embedded", same(path.embed(value), root)),
          ("what is extracted", extracted.map { same($0, value) } ?? false),
          ("another case", other.flatMap(path.extract) == nil),
        ]
        return checks.filter { !$0.1 }.map(\.0)
      }
    }
  }

  static let payloads: [Sample] = {
    let paths = Payloads.allCasePaths
    return [
      Sample("nothing", paths.nothing, (), .nothing, not: .unlabelled(1)),
      Sample("unlabelled", paths.unlabelled, 1, .unlabelled(1), not: .nothing),
      Sample("labelled", paths.labelled, 1, .labelled(id: 1), not: .unlabelled(1)),
      Sample("underscored", paths.underscored, 1, .underscored(1), not: .nothing),
      Sample("optional", paths.optional, 1, .optional(1), not: .nothing),
      Sample("optional", paths.optional, nil, .optional(nil), not: .nothing),
      Sample(
        "several", paths.several, (id: 1, "a", in: [2]), .several(id: 1, "a", in: [2]),
        not: .nothing),
      Sample("defaults", paths.defaults, (limit: 3, offset: nil), .defaults(), not: .nothing),
      Sample("list", paths.list, [1, 2], .list([1, 2]), not: .nothing),
      Sample("pair", paths.pair, (1, 2), .pair((1, 2)), not: .nothing),
      Sample("void", paths.void, (), .void(()), not: .nothing),
      Sample("closure", paths.closure, { $0 + 1 }, .closure { $0 + 1 }, not: .nothing),
      Sample(
        "closures", paths.closures, (first: { $0 }, second: nil),
        .closures(first: { $0 }, second: nil), not: .nothing),
      Sample("existential", paths.existential, Failure(), .existential(Failure()), not: .nothing),
      Sample("first", paths.first, (), .first, not: .second(1)),
      Sample("second", paths.second, 1, .second(1), not: .first),
    ]
  }()

  static let names: [Sample] = {
    let paths = Names.allCasePaths
    return [
      Sample("default", paths.default, (), .default, not: .root),
      Sample("Type", paths.`Type`, 1, .`Type`(1), not: .default),
      Sample("self", paths.`self`, 1, .`self`(1), not: .default),
      Sample("init", paths.`init`, 1, .`init`(1), not: .default),
      Sample("Protocol", paths.`Protocol`, 1, .`Protocol`(1), not: .default),
      Sample("a \"raw\" name", paths.`a "raw" name`, 1, .`a "raw" name`(1), not: .default),
      Sample("name", paths.name, 1, .name(1), not: .default),
      Sample("value", paths.value, 1, .value(1), not: .default),
      Sample("value0", paths.value0, (1, 2), .value0(1, 2), not: .default),
      Sample("root", paths.root, (), .root, not: .default),
      Sample("embed", paths.embed, 1, .embed(1), not: .default),
      Sample("currentCase", paths.currentCase, 1, .currentCase(1), not: .default),
      Sample("Names", paths.Names, 1, .Names(1), not: .default),
      Sample("HoltMacros", paths.HoltMacros, 1, .HoltMacros(1), not: .default),
      Sample("none", paths.none, (), Names.none, not: .default),
      Sample("make", paths.make, (), .make, not: .default),
    ]
  }()

  static let kinds: [Sample] = [
    Sample(
      "casePath", Router.allCasePaths.casePath, Router.CasePath(id: 1),
      .casePath(Router.CasePath(id: 1))),
    Sample("leaf", Tree.allCasePaths.leaf, 1, .leaf(1), not: .branch(.leaf(1), .leaf(2))),
    Sample(
      "branch", Tree.allCasePaths.branch, (.leaf(1), .leaf(2)), .branch(.leaf(1), .leaf(2)),
      not: .leaf(1)),
    Sample("forest", Tree.allCasePaths.forest, [.leaf(1)], .forest([.leaf(1)]), not: .leaf(1)),
    Sample("done", Loading<String>.allCasePaths.done, "a", .done("a"), not: .waiting),
    Sample("retry", Loading<Never>.allCasePaths.retry, [.waiting], .retry(of: [.waiting])),
    Sample("full", Box<Int>.State.allCasePaths.full, 1, .full(1), not: .empty),
    Sample(
      "item", Shop.Nested.allCasePaths.item, Shop.Item(id: 1), .item(Shop.Item(id: 1))),
    Sample(
      "item", Shop.Extended.allCasePaths.item, Shop.Item(id: 1), .item(Shop.Item(id: 1))),
    Sample(
      "item", Shop.PublicByExtension.allCasePaths.item, Shop.Item(id: 1), .item(Shop.Item(id: 1))),
    Sample("item", OnMainActor.allCasePaths.item, 1, .item(1), not: .idle),
    Sample("here", Conditional.allCasePaths.here, 1, .here(1), not: .always),
    Sample("always", Available.allCasePaths.always, (), .always),
    Sample("one", OnlyOne.allCasePaths.one, 1, .one(1)),
    Sample("one", Conforming.allCasePaths.one, 1, .one(1)),
  ]

  @Test(arguments: payloads + names + kinds)
  func `lead to a case and back`(_ sample: Sample) {
    #expect(sample.faults() == [])
  }

  @Test func `are as visible as the enum`() {
    #expect(Shop.nameOfOwn() == "item")
    #expect(InFileCheck.name() == "item")
    #expect(InFileCheck.hidden() == Shop.Item(id: 1))
  }

  @Test func `extract closures`() throws {
    let path = Payloads.allCasePaths.closure
    #expect(path.extract(from: .closure { $0 + 1 })?(2) == 3)
    let first = Payloads.allCasePaths.closures.extract(
      from: .closures(first: { $0 * 2 }, second: nil))?.first
    #expect(first?(4) == 8)
  }

  @Test func `have no members for an enum without cases`() {
    func isCasePathable<T: CasePathable>(_ type: T.Type) -> Bool { true }
    #expect(isCasePathable(NoCase.self))
    #expect(Mirror(reflecting: NoCase.allCasePaths).children.isEmpty)
  }
}

private struct Failure: Error {}

/// Returns whether two values have the same description: tuples can't be compared.
private func same(_ left: Any, _ right: Any) -> Bool {
  String(reflecting: left) == String(reflecting: right)
}
