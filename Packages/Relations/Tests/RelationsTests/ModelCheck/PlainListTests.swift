import Relations
import Testing

/// Tests of the model's own list, with which the library's lists are compared.
@Suite struct `Plain lists that are changed by two sessions` {
  private func list(_ change: (inout PlainList) -> Void) -> PlainList {
    var list = PlainList([1, 2, 3])
    change(&list)
    return list
  }

  @Test func `have the rows that either session has added, and no row that either has removed`() {
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

  @Test func `have moved rows after the row that they were placed after`() {
    let mine = list {
      let moved = $0.remove(at: 0)
      $0.insert(moved, at: 2)
    }
    #expect(mine.labels == [2, 3, 1])
    #expect(mine.merged(into: [1, 2, 7, 3, 6]) == [2, 7, 3, 1, 6])
    #expect(mine.merged(into: [2, 3]) == [2, 3, 1])
  }

  @Test func `keep the order of several rows placed after the same row`() {
    let mine = list {
      $0.insert(9, at: 1)
      $0.insert(8, at: 2)
      $0.insert(7, at: 4)
    }
    #expect(mine.labels == [1, 9, 8, 2, 7, 3])
    #expect(mine.merged(into: [1, 3]) == [1, 9, 8, 7, 3])
  }

  @Test func `do not end with a row that was moved from the end`() {
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
