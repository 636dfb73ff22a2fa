/// The containers that were lent for the current row.
struct LentContainers {
  /// The first one, which is lent for the next row again unless someone keeps it.
  var first: ContainerObject?
  var hasOthers = false

  @inline(__always)
  mutating func mayBeKept() -> Bool { hasOthers || first?.isShared() == true }
}
