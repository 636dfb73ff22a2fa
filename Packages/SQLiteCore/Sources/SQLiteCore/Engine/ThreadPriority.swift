#if canImport(Darwin)
  internal import Darwin
#endif

/// How urgently the system runs the calling thread.
enum ThreadPriority {
  /// Gives the thread the quality of service of a task's priority.
  ///
  /// Linux knows none, and its threads' nice values can't be raised again without privileges: there
  /// the priority orders who waits, and the system treats all that run alike.
  static func adopt(_ priority: TaskPriority) {
    #if canImport(Darwin)
      let wanted: qos_class_t =
        switch priority {
        case .high...: QOS_CLASS_USER_INITIATED
        case .medium...: QOS_CLASS_DEFAULT
        case .low...: QOS_CLASS_UTILITY
        default: QOS_CLASS_BACKGROUND
        }
      if qos_class_self() != wanted { pthread_set_qos_class_self_np(wanted, 0) }
    #endif
  }
}
