/// The current task.
enum CurrentTask {
  /// An identifier of the current task, or `nil` outside a task.
  static var id: Int? { unsafe withUnsafeCurrentTask { task in unsafe task?.hashValue } }
}
