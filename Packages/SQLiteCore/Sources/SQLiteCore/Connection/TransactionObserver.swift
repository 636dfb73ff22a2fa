internal import Primitives

/// An observer of a connection's changes, commits and rollbacks.
///
/// SQLite calls ``willChange(_:)`` and ``willCommit()`` during its work: they must not use the connection. The other
/// methods are called after SQLite has finished, and may use it.
public protocol TransactionObserver: AnyObject {
  /// Called before a statement runs that may write.
  ///
  /// If every observer declines, ``willChange(_:)`` is not called for the statement, which then runs as fast as without
  /// observers. The method may read with the connection.
  ///
  /// - Parameters:
  ///   - statement: The statement's identifier, which is valid until its ``Statement/Access`` changes.
  ///   - access: Returns the tables and columns that the statement can write, including by triggers and foreign key
  ///     actions.
  /// - Returns: Whether to call ``willChange(_:)`` for the statement's changes.
  func willRun(_ statement: Statement.ID, _ access: () -> Statement.Access) -> Bool

  /// The interests on which the results of ``willRun(_:_:)`` depend, always the same ones; `nil`, the default, for an
  /// observer that must be called each time.
  ///
  /// After it has declined a statement, the observer is not called again for the same statement until one of the
  /// interests changes, another statement has run, or it receives another notification.
  var interests: Hooks.ChangeInterests? { get }

  /// Called after a statement whose changes were declined was recompiled while it ran, because the schema or a setting
  /// had changed: it may have written other tables than reported before.
  func didRunRecompiled()

  /// Called before a row is inserted, updated or deleted. Also called for rows that a REPLACE deletes, for cascades and
  /// triggers, for every row of a `DELETE` without `WHERE`, and for `WITHOUT ROWID` tables. A statement that fails
  /// later may have reported rows that remain unchanged.
  func willChange(_ change: borrowing Hooks.RowChange)

  /// Called after a `PRAGMA`, `ANALYZE`, `ATTACH` or `DETACH` has run or failed, whose changes ``willChange(_:)`` does
  /// not report.
  func statementDidRun(_ access: Statement.Access)

  /// Called after a statement that writes has failed. Its reported changes may or may not have been undone.
  func statementDidFail()

  /// Called after a savepoint was opened, released, or rolled back to.
  func savepointDidChange(_ event: Hooks.SavepointEvent)

  /// Called after a statement has changed the schema, or has rewritten a database as `VACUUM` does, without calls of
  /// ``willCommit()`` and ``didCommit()``.
  func schemaDidChange()

  /// Called before the transaction commits.
  ///
  /// - Throws: Any error, to roll the transaction back instead.
  func willCommit() throws

  /// Called after the transaction was committed.
  func didCommit()

  /// Called after the transaction was rolled back: explicitly, because of an error, or by a veto.
  func didRollback()
}

extension TransactionObserver {
  public func didRunRecompiled() {}
  public func willRun(_ statement: Statement.ID, _ access: () -> Statement.Access) -> Bool {
    true
  }
  public var interests: Hooks.ChangeInterests? { nil }
  public func willChange(_ change: borrowing Hooks.RowChange) {}
  public func statementDidRun(_ access: Statement.Access) {}
  public func statementDidFail() {}
  public func savepointDidChange(_ event: Hooks.SavepointEvent) {}
  public func schemaDidChange() {}
  public func willCommit() throws {}
  public func didCommit() {}
  public func didRollback() {}
}

extension Statement {
  /// The unique identifier of a compiled statement of a connection.
  public struct ID: Hashable, Sendable {
    let rawValue: UInt64
  }
}

extension Hooks {
  /// The result of an authorizer for a statement's action.
  public enum Authorization: Sendable {
    case allow
    /// Compiling the statement fails.
    case deny
    /// The action is ignored: a column is read as NULL, a row is not deleted by the truncate optimization, and so on.
    /// SQLite's `SQLITE_IGNORE`.
    case ignore
  }
}

extension Hooks {
  /// A statement's action, as reported by SQLite's authorizer.
  public struct AuthorizationRequest: Hashable, Sendable {
    /// The action's code: `SQLITE_READ` is 20, and so on.
    public let action: Int32
    /// The first argument of the action: the table, when a column is read. SQLite's list of actions documents the
    /// arguments.
    public let first: String?
    /// The second argument of the action: the column's name, when a column is read.
    public let second: String?
    /// The schema that contains the object, such as `main`.
    public let schema: String?
    /// The trigger or view that causes the action, if any.
    public let cause: String?
  }
}

extension Statement {
  /// The profile of a statement that ran.
  public struct Profile: Hashable, Sendable {
    /// The statement's SQL, without its values.
    public let sql: String
    /// The execution time, as measured by SQLite.
    public let duration: Duration
  }
}

extension Hooks {
  /// The identifier of a subscription to one of a connection's ``Hooks``, which ends the subscription.
  public struct Subscription: Hashable, Sendable {
    let id: UInt64
  }
}

extension Hooks {
  /// A number that changes with the interests of observers, which a writer reads without a lock.
  ///
  /// A ``TransactionObserver`` that declines a statement's changes is not called again for the statement while the
  /// numbers of its ``TransactionObserver/interests`` are unchanged.
  public final class ChangeInterest: Sendable {
    private let number = Atomic<UInt64>(1)

    public init() {}

    public var current: UInt64 { number.load(ordering: .acquiring) }

    /// Changes the number. Must be called after the interest has changed, and before the change is reported to others.
    public func change() { number.add(1, ordering: .acquiringAndReleasing) }
  }
}

extension Hooks {
  /// The interests on which an observer's decision depends.
  public struct ChangeInterests: Sendable {
    public let first: ChangeInterest
    public let second: ChangeInterest?

    public init(_ first: ChangeInterest, _ second: ChangeInterest? = nil) {
      self.first = first
      self.second = second
    }
  }
}
