extension Collection where Element == Double {
  /// The median of the values; NaN if there are none.
  public var median: Double {
    let sorted = sorted()
    guard let last = sorted.last else { return .nan }
    let middle = sorted.count / 2
    if sorted.count == 1 { return last }
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
