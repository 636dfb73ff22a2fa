import Testing

@testable import Relations

@Suite struct `The schedule of a list` {
  /// A schedule that can be mutated in expectations.
  @dynamicMemberLookup private final class Stepped {
    var schedule = ListSchedule()

    subscript<Value>(dynamicMember path: KeyPath<ListSchedule, Value>) -> Value {
      schedule[keyPath: path]
    }
    func begin(_ load: Int) -> Bool { schedule.begin(load) }
    func finishRead(at revision: UInt64) -> Bool { schedule.finishRead(at: revision) }
    func end(_ load: Int) -> Int? { schedule.end(load) }
    func beginSave() { schedule.beginSave() }
    func endSave() -> Int? { schedule.endSave() }
    func recordWrite(at revision: UInt64) { schedule.recordWrite(at: revision) }
  }

  private func made() -> (Stepped, [Int]) {
    let stepped = Stepped()
    return (stepped, (0..<3).map { _ in stepped.schedule.makeID() })
  }

  @Test func `runs loads in the order of their requests`() {
    let (schedule, ids) = made()
    #expect(Set(ids).count == 3)
    #expect(schedule.isIdle)
    #expect(schedule.begin(ids[1]))
    #expect(!schedule.isIdle)
    #expect(!schedule.begin(ids[2]))
    #expect(!schedule.begin(ids[0]))
    #expect(schedule.end(ids[1]) == ids[2])
    #expect(schedule.running == ids[2])
    #expect(schedule.end(ids[2]) == ids[0])
    #expect(schedule.end(ids[0]) == nil)
    #expect(schedule.isIdle)
  }

  @Test func `forgets a waiting load that ends`() {
    let (schedule, ids) = made()
    #expect(schedule.begin(ids[0]))
    #expect(!schedule.begin(ids[1]))
    #expect(!schedule.begin(ids[2]))
    #expect(schedule.end(ids[1]) == nil)
    #expect(schedule.end(ids[0]) == ids[2])
  }

  @Test func `shows rows if no newer state exists`() {
    let (schedule, ids) = made()
    #expect(schedule.begin(ids[0]))
    #expect(schedule.finishRead(at: 5))
    #expect(schedule.current == 5)
    #expect(!schedule.finishRead(at: 4))
    #expect(schedule.current == 5)
    #expect(schedule.finishRead(at: 5))
    schedule.recordWrite(at: 6)
    #expect(!schedule.finishRead(at: 5))
    schedule.recordWrite(at: 3)
    #expect(schedule.current == 6)
    #expect(schedule.finishRead(at: 6))
  }

  @Test func `makes a load read again if it overlaps a save`() {
    let (schedule, ids) = made()
    #expect(schedule.begin(ids[0]))
    schedule.beginSave()
    #expect(!schedule.isIdle)
    #expect(schedule.isSaving)
    // The result is the same whether the save is committed or not.
    #expect(!schedule.finishRead(at: 1))
    #expect(!schedule.begin(ids[0]))
    schedule.recordWrite(at: 2)
    #expect(schedule.endSave() == ids[0])
    #expect(!schedule.isSaving)
    #expect(!schedule.finishRead(at: 1))
    #expect(schedule.begin(ids[0]))
    #expect(schedule.finishRead(at: 3))
  }

  @Test func `makes a load wait if it begins during a save`() {
    let (schedule, ids) = made()
    schedule.beginSave()
    #expect(!schedule.begin(ids[0]))
    #expect(!schedule.begin(ids[1]))
    #expect(schedule.endSave() == ids[0])
    schedule.beginSave()
    // The first load has its rows, and the second one waits for the save.
    #expect(schedule.end(ids[0]) == nil)
    schedule.beginSave()
    #expect(schedule.endSave() == nil)
    #expect(schedule.endSave() == ids[1])
    #expect(schedule.end(ids[1]) == nil)
    #expect(schedule.isIdle)
  }

  @Test func `resumes no load at the end of a save if none waits for it`() {
    let (schedule, ids) = made()
    #expect(schedule.begin(ids[0]))
    schedule.beginSave()
    // The load reads without having waited.
    #expect(schedule.endSave() == nil)
    #expect(schedule.finishRead(at: 1))
    #expect(schedule.end(ids[0]) == nil)
  }
}
