import Primitives
import Testing

@Suite struct `Spans of arrays` {
  @Test(arguments: [0, 1, 100]) func `have the array's elements`(_ count: Int) {
    let array = Array(0..<count)
    let span = array.elementSpan
    #expect(span.count == count)
    for index in 0..<count { #expect(span[index] == index) }
  }

  @Test func `change an array without affecting its copies`() {
    var array: [UInt8] = [1, 2, 3]
    let copy = array
    var span = array.mutableElementSpan
    span[1] = 7
    #expect(array == [1, 7, 3])
    #expect(copy == [1, 2, 3])
  }
}
