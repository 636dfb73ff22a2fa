/// How urgent an access is: what its task's priority comes to.
enum AccessPriority: Int, Comparable, CaseIterable, Sendable {
  case background, low, medium, high

  init(_ priority: TaskPriority) {
    self =
      switch priority {
      case .high...: .high
      case .medium...: .medium
      case .low...: .low
      default: .background
      }
  }

  var taskPriority: TaskPriority {
    switch self {
    case .background: .background
    case .low: .low
    case .medium: .medium
    case .high: .high
    }
  }

  /// That of the task that runs, or of the thread where none does.
  static var current: AccessPriority { AccessPriority(Task.currentPriority) }

  static func < (a: AccessPriority, b: AccessPriority) -> Bool { a.rawValue < b.rawValue }
}
