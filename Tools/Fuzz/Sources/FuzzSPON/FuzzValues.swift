import Fuzzing
import SPON

/// Parses two values separated by a zero byte, or one value and a part of it, and tests that
/// applying their difference converts one into the other.
func fuzzValues(_ bytes: [UInt8]) {
  let place = bytes.firstIndex(of: 0) ?? bytes.endIndex
  guard let old = try? SPONValue(parsing: Array(bytes[..<place])) else { return }
  if place < bytes.endIndex, let new = try? SPONValue(parsing: Array(bytes[(place + 1)...])) {
    expectDifference(old, new)
    expectDifference(.array([old, new, old]), .array([new, old]))
  }
  for (path, leaf) in old.leaves.prefix(4) {
    expect(old[path] == leaf, "the path \(path) does not lead to its leaf")
    var new = old
    new[path] = nil
    expectDifference(old, new)
    new = old
    new[path] = .array([leaf, old])
    expectDifference(old, new)
  }
  expect(old.difference(to: old).isEmpty, "a value differs from itself")
  _ = old.debugDescription
}

private func expectDifference(_ old: SPONValue, _ new: SPONValue) {
  let difference = old.difference(to: new)
  expect(
    difference.isEmpty == (old == new),
    "the difference is empty for unequal values, or not empty for equal ones")
  expect(
    try old.applying(difference) == new,
    "applying a difference produces a wrong value:\n\(difference)")
  expect(
    try new.applying(difference.inverted) == old,
    "an inverted difference produces another value:\n\(difference)")
}
