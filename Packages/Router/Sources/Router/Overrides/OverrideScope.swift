/// Overrides that hold for a task and those that it starts, over those of the router itself.
struct OverrideScope: Sendable {
  /// Of which router.
  let router: RouterIdentity
  let overrides: OverrideTable
  let log: RouteLog?

  /// The scopes that the task is in, the innermost last.
  @TaskLocal static var current: [OverrideScope] = []
}

/// Which router: copies of one are the same.
final class RouterIdentity: Sendable {}
