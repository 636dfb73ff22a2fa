/// The task that runs.
enum CurrentTask {
  /// What tells it from the others that live; `nil` outside of a task.
  static var id: Int? { unsafe withUnsafeCurrentTask { task in unsafe task?.hashValue } }
}
