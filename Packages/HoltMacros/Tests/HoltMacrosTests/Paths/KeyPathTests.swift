@testable import Router
import HoltMacros
import Testing

@Suite struct `Case key paths` {
  private typealias Path<Value: Sendable> = CaseKeyPath<Outermost, Value>

  @Test func `lead through nested enums`() {
    let path: Path<Int> = \.middle.inner.id
    let found = Case<Outermost>.root[keyPath: path]
    #expect(found.names == ["middle", "inner", "id"])
    #expect((found.embed(7) as? Outermost)?.caseNames == ["middle", "inner", "id"])
    #expect(found.extract(Outermost.middle(.inner(.id(7)))) == 7)
    #expect(found.extract(Outermost.middle(.inner(.pair(a: 1, b: 2)))) == nil)
    #expect(found.extract(Outermost.middle(.other)) == nil)
  }

  @Test func `carry tuples and empty values`() throws {
    let pair: Path<(a: Int, b: Int)> = \.middle.inner.pair
    let found = Case<Outermost>.root[keyPath: pair]
    let value = try #require(found.extract(Outermost.middle(.inner(.pair(a: 1, b: 2)))))
    #expect(value.a == 1 && value.b == 2)
    let other: Path<Void> = \.middle.other
    #expect(Case<Outermost>.root[keyPath: other].extract(Outermost.middle(.other)) != nil)
  }

  @Test func `are equal if they lead to the same case`() {
    let id: Path<Int> = \.middle.inner.id
    let again: Path<Int> = \.middle.inner.id
    let inner: Path<Outermost.Middle.Inner> = \.middle.inner
    #expect(id == again)
    #expect(id.hashValue == again.hashValue)
    #expect(Set<AnyHashable>([id, again, inner]).count == 2)
    let names: [AnyHashable: String] = [id: "id", inner: "inner"]
    #expect(names[\Case<Outermost>.middle.inner.id] == "id")
  }

  @Test func `support names that are Swift keywords`() {
    let standard: CaseKeyPath<Names, Void> = \.default
    let type: CaseKeyPath<Names, Int> = \.`Type`
    let initializer: CaseKeyPath<Names, Int> = \.`init`
    #expect(Case<Names>.root[keyPath: standard].names == ["default"])
    #expect(Case<Names>.root[keyPath: type].names == ["Type"])
    #expect(Case<Names>.root[keyPath: initializer].names == ["init"])
  }

  @Test func `match cases of generic and recursive enums`() {
    let done: CaseKeyPath<Loading<Outermost>, Int> = \.done.middle.inner.id
    let found = Case<Loading<Outermost>>.root[keyPath: done]
    #expect(found.extract(Loading.done(Outermost.middle(.inner(.id(3))))) == 3)
    #expect(Loading.done(Outermost.middle(.other)).caseNames == ["done", "middle", "other"])
  }
}
