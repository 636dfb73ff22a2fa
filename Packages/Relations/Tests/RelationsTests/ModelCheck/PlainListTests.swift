import Relations
import Testing

/// The model's own list is what it should be: what it says is held against the library's.
@Suite struct `Plain lists that two have changed` {
  private func list(_ change: (inout PlainList) -> Void) -> PlainList {
    var list = PlainList([1, 2, 3])
    change(&list)
    return list
  }

  @Test func `have what both have added, and not what either has removed`() {
    let mine = list {
      $0.insert(9, at: 2)
      _ = $0.remove(at: 0)
      $0.append(8)
    }
    #expect(mine.labels == [2, 9, 3, 8])
    #expect(mine.merged(into: [1, 2, 3]) == [2, 9, 3, 8])
    #expect(mine.merged(into: [1, 7, 2, 3, 6]) == [7, 2, 9, 3, 6, 8])
    #expect(mine.merged(into: [1, 3]) == [9, 3, 8])
    #expect(mine.merged(into: [3, 2]) == [3, 2, 9, 8])
    #expect(mine.merged(into: []) == [9, 8])
  }

  @Test func `have what was moved behind what it was put behind`() {
    let mine = list {
      let moved = $0.remove(at: 0)
      $0.insert(moved, at: 2)
    }
    #expect(mine.labels == [2, 3, 1])
    #expect(mine.merged(into: [1, 2, 7, 3, 6]) == [2, 7, 3, 1, 6])
    #expect(mine.merged(into: [2, 3]) == [2, 3, 1])
  }

  @Test func `have several that stand behind one in their order`() {
    let mine = list {
      $0.insert(9, at: 1)
      $0.insert(8, at: 2)
      $0.insert(7, at: 4)
    }
    #expect(mine.labels == [1, 9, 8, 2, 7, 3])
    #expect(mine.merged(into: [1, 3]) == [1, 9, 8, 7, 3])
  }

  @Test func `have no longer at the end what was moved from there`() {
    let mine = list {
      $0.append(9)
      $0.insert($0.remove(at: 3), at: 0)
      $0.append(8)
      $0.insert(7, at: 5)
    }
    #expect(mine.labels == [9, 1, 2, 3, 8, 7])
    #expect(mine.merged(into: [1, 2, 3, 6]) == [9, 1, 2, 3, 6, 8, 7])
  }
}
