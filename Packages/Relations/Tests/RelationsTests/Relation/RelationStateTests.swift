import Observation
import SQLiteCore
import Testing

@testable import Relations

@Suite struct `The state of a to-one relation` {
  private static let keys: [(StoredKey, StoredKey)] = [
    (.integer(1), .integer(2)), (.other("one"), .other("two")), (.none, .integer(3)),
    (.integer(4), .none),
  ]

  @Test(arguments: keys.indices)
  func `is changed while its key differs from the row's key`(_ number: Int) {
    let (first, second) = Self.keys[number]
    var state = ToOneState(savedKey: first)
    #expect(!state.isChanged)
    state.key = second
    #expect(state.isChanged && state.key == second && state.savedKey == first)
    state.key = first
    #expect(!state.isChanged && state.savedKey == first)
    state.key = second
    state.savedKey = second
    #expect(!state.isChanged && state.key == second)
    state.key = first
    state.markRead()
    #expect(!state.isChanged && state.savedKey == first)
  }

  @Test func `is changed if the relation was created and not read`() {
    var state = ToOneState(key: .integer(1))
    #expect(state.isChanged && state.savedKey == .none)
    state.markRead()
    #expect(!state.isChanged && state.savedKey == .integer(1))
  }

  @Test func `is kept while the target is set, removed and observed`() {
    let label = Station(id: 7)
    var state = ToOneState(savedKey: .integer(7))
    state.setTarget(TargetBox(label))
    #expect((state.object as? Station)?.id == 7 && !state.hasOnlyKey)
    let registrar = ObservationRegistrar()
    state.registrar = registrar
    #expect((state.retainedObject as? Station)?.id == 7 && state.registrar == registrar)
    state.key = .integer(8)
    state.removeTarget()
    #expect(state.object == nil && state.savedKey == .integer(7) && state.registrar == registrar)
    state.setTarget(nil, isMissing: true)
    #expect(state.isMissing && state.isChanged)
    state.setTarget(label)
    #expect(!state.isMissing && (state.object as? Station)?.id == 7)
  }
}

struct Station: Table {
  var id = 0
}

extension ListCore {
  /// Sets a station that was read at a revision.
  fileprivate func show(_ id: Int, at revision: UInt64) -> ShowResult {
    var rows: (any Sendable)? = [Station(id: id)]
    return show(&rows, at: revision)
  }
}

@Suite struct `The state of a list` {
  @Test func `consists of the fetched rows unless the list is observed or edited`() throws {
    let session = ModelSession(try Database(.memory))
    let list = ManyRelation<Station>()
    #expect(list.core.subscribe(to: nil, linkKeys: 0) == nil)
    list.attach(RelationOwner(session: session, type: Station.self, key: .integer(1)), "list")
    #expect(list.core.subscribe(to: nil, linkKeys: 0) == .integer(1))
    #expect(list.core.show(2, at: 5) == .shown)
    #expect(list.objects.map(\.id) == [2])
    // A load plan that reaches the list twice uses one revision.
    #expect(list.core.show(3, at: 5) == .shown)
    // The rows were read at an earlier revision.
    #expect(list.core.show(4, at: 4) == .stale)
    #expect(list.objects.map(\.id) == [3] && list.isLoaded)
    // A row was deleted at a later revision.
    list.applyDeletion(Station.self, KeyMap<Void>([[.integer(9)]], .binary), at: 7)
    #expect(list.core.show(5, at: 6) == .stale)
    #expect(list.core.show(6, at: 8) == .shown)
    #expect(list.items.count == 1)
    #expect(list.core.show(7, at: 9) == .needsFullState)
    #expect(list.objects.map(\.id) == [6])
  }

  @Test func `is empty after the list is released, regardless of later events`() throws {
    let session = ModelSession(try Database(.memory))
    var list: ManyRelation<Station>? = ManyRelation()
    list?.attach(RelationOwner(session: session, type: Station.self, key: .integer(1)), "list")
    let core = try #require(list?.core)
    let version = try #require(list).refreshRequest.version
    list = nil
    #expect(core.isReleased)
    let late = ManyRelation<Station>(borrowing: core)
    #expect(!late.receive((rows: [], isComplete: true), since: version))
    #expect(core.isReleased && core.subscribe(to: nil, linkKeys: 0) == nil)
  }
}
