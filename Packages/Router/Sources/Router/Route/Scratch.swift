internal import SQLiteCore
internal import Synchronization

/// A database in memory that belongs to nobody: types say what they bind only by binding it.
enum Scratch {
  private static let kept = Mutex<Holder?>(nil)

  /// What a value binds; `nil` where it refuses.
  static func value(of value: some SQLiteBindable) -> SQLiteValue? {
    try? with { try $0.value(SQLiteValue.self, "SELECT ?", values: [value]) }
  }

  /// Runs `body` with a connection that no one else has meanwhile. User code runs in it, and so outside of the
  /// lock.
  static func with<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    let holder = try take()
    defer { giveBack(holder) }
    return try body(holder.connection)
  }

  /// As ``with(_:)``, where no closure can be: what is taken has to be given back.
  static func take() throws -> Holder { try kept.withLock { $0.take() } ?? Holder() }

  static func giveBack(_ holder: Holder) { kept.withLock { $0 = holder } }

  /// `connection` is used by the one who took the holder out of the lock.
  final class Holder: @unchecked Sendable {
    let connection: Connection

    fileprivate init() throws { connection = try Connection.inMemory() }
  }
}
