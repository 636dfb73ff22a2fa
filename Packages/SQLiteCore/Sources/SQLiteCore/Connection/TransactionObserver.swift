internal import Primitives

/// Someone who is told of a connection's changes, and of what became of them.
///
/// ``willChange(_:)`` and ``willCommit()`` are called by SQLite in the middle of its work: they must
/// not use the connection. The others are called when SQLite has finished, and may.
public protocol TransactionObserver: AnyObject {
  /// A statement is about to run that may write.
  ///
  /// Where every observer declines, none is told of its changes by ``willChange(_:)``, and it runs as if nobody
  /// observed. The connection may be read meanwhile.
  ///
  /// - Parameters:
  ///   - statement: What stands for it, until ``Statement/Access`` is another.
  ///   - access: What it may write: itself, by its triggers, and by references.
  /// - Returns: Whether its changes are to be told.
  func willRun(_ statement: Statement.ID, _ access: () -> Statement.Access) -> Bool

  /// What the answers of ``willRun(_:_:)`` rest on, always the same; `nil`, as by default, for an observer that is to
  /// be asked each time.
  ///
  /// Where it has declined, it is not asked again about the same statement until one of these changes, another
  /// statement has run, or it is told of something.
  var interests: Hooks.ChangeInterests? { get }

  /// A statement whose changes were declined was compiled anew as it ran, since the schema or a setting had
  /// changed: it may have written other tables than was said before.
  func didRunOtherwise()

  /// A row is about to be inserted, updated or deleted. Also called for rows that a REPLACE displaces,
  /// for cascades and triggers, for every row of a `DELETE` without `WHERE`, and for tables
  /// without rowids. A statement that fails later may have reported rows that stay as they were.
  func willChange(_ change: borrowing Hooks.RowChange)

  /// A `PRAGMA`, an `ANALYZE`, an `ATTACH` or a `DETACH` has run or failed: what it changed is not
  /// reported by ``willChange(_:)``.
  func statementDidRun(_ access: Statement.Access)

  /// A statement that writes has failed: the last changes may have been undone, or not.
  func statementDidFail()

  /// A savepoint was opened, released, or rolled back to.
  func savepointDidChange(_ event: Hooks.SavepointEvent)

  /// A statement has changed the schema, or rewritten a database as `VACUUM` does, which calls
  /// neither ``willCommit()`` nor ``didCommit()``.
  func schemaDidChange()

  /// The transaction is about to commit.
  ///
  /// - Throws: Anything, to have it rolled back instead.
  func willCommit() throws

  /// The transaction is committed.
  func didCommit()

  /// The transaction was rolled back: by request, by a fault, or by a veto.
  func didRollback()
}

extension TransactionObserver {
  public func didRunOtherwise() {}
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
  /// What stands for one compiled statement of a connection, and for no other.
  public struct ID: Hashable, Sendable {
    let rawValue: UInt64
  }
}

extension Hooks {
  /// Whether an action that a statement would take is allowed.
  public enum Authorization: Sendable {
    case allow
    /// Compiling the statement fails.
    case deny
    /// A column reads as NULL, a row is not deleted by the fast path, and so on: SQLite's
    /// `SQLITE_IGNORE`.
    case ignore
  }
}

extension Hooks {
  /// An action that a statement would take, as SQLite's authorizer reports it.
  public struct AuthorizationRequest: Hashable, Sendable {
    /// The action's number: `SQLITE_READ` is 20, and so on.
    public let action: Int32
    /// What the action is about: of a column that is read, its table. SQLite's list of actions tells.
    public let first: String?
    /// More of that: of a column that is read, its name.
    public let second: String?
    /// The database that it is in: `main`, say.
    public let schema: String?
    /// The trigger or view that is the cause, if one is.
    public let cause: String?
  }
}

extension Statement {
  /// What became of a statement that ran.
  public struct Profile: Hashable, Sendable {
    /// The statement as it was given, without its values.
    public let sql: String
    /// How long it ran, as SQLite measures it.
    public let duration: Duration
  }
}

extension Hooks {
  /// The name of a subscription to one of a connection's ``Hooks``: what ends it.
  public struct Subscription: Hashable, Sendable {
    let id: UInt64
  }
}

extension Hooks {
  /// A number that changes with what observers want to know, which a writer looks at without a lock.
  ///
  /// A ``TransactionObserver`` that declines a statement's changes is not asked about it again while the numbers of
  /// its ``TransactionObserver/interests`` stay what they were.
  public final class ChangeInterest: Sendable {
    private let number = Atomic<UInt64>(1)

    public init() {}

    public var current: UInt64 { number.load(ordering: .acquiring) }

    /// To be called once what it stands for has changed, and before anyone is told that it has.
    public func change() { number.add(1, ordering: .acquiringAndReleasing) }
  }
}

extension Hooks {
  /// The interests that an observer's decision rests on.
  public struct ChangeInterests: Sendable {
    public let first: ChangeInterest
    public let second: ChangeInterest?

    public init(_ first: ChangeInterest, _ second: ChangeInterest? = nil) {
      self.first = first
      self.second = second
    }
  }
}
