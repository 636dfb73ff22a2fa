import Primitives
import Testing

@Suite struct `Values of result rows` {
  @Test func `differ if their types or their bits differ`() {
    let values: [DataValue] = [
      nil, true, 1, 1.0, 0.0, -0.0, "1", .decimal("1"), .decimal("1.0"), .json("1"), .uuid("1"),
      .timestamp("1"), .timestampWithZone("1"), .date("1"), .time("1"), .blob([0x31]),
      .array([1]), .array([]), "é", "e\u{301}",
    ]
    #expect(Set(values).count == values.count)
    #expect(DataValue.real(.nan) == .real(.nan))
    #expect(values.filter(\.isNull) == [nil])
  }
}
