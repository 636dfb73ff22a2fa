@_spi(Observing) internal import SQLiteCore
internal import Primitives

/// Who wants to know of commits to a file that its own database has not made.
protocol CommitReceiver: AnyObject, Sendable {
  /// Tells its observers.
  func publish(_ changes: ChangeSet)
  /// Lets those go on who wait until all is told.
  func releaseSettled()
  /// Whether anyone may ask for the rows of a table, as they change.
  func wantsRows(of table: TableName) -> Bool
  /// Has the commits of its database told to the exchange, before this returns.
  func recordNow(in database: Database) throws
  func record(in database: Database) async throws
}

/// Where the databases of this process that are open on one file tell each other of their commits, and learn
/// of those of other processes.
///
/// It keeps no database, and is kept by the file that they have in common.
final class CommitExchange: Database.FileObserver {
  struct Member {
    weak var receiver: (any CommitReceiver)?
  }

  /// A commit that one of the databases has made.
  struct Commit {
    let changes: ChangeSet
    let sender: any CommitReceiver
  }

  struct State {
    var members: [Member] = []
    /// Has every database's commits recorded; `nil` where nobody has asked for it.
    var recording: Task<Void, any Error>?
    var others: DatabaseObservation.CrossProcess?
    var chain: CommitChain?
    var watch: FileWatch?
    var shared: AppendOnlyFile?
    /// The version that a file without a shared log had last, as a database has it: another has another.
    var version: (database: ObjectIdentifier, number: Int?)?
    /// How often the system has told of a change.
    var eventCount = 0
    /// The look at the file that goes on, or was the last, and the one that has not begun.
    var check: Task<Void, Never>?
    var nextCheck: Task<Void, Never>?
    var queue = CommitQueue<Commit>()

    var audience: Int { shared == nil ? members.count : .max }

    func receivers(besides sender: any CommitReceiver) -> [any CommitReceiver] {
      // Most files are opened once.
      if members.count == 1, members.first?.receiver === sender { return [] }
      return members.compactMap(\.receiver).filter { $0 !== sender }
    }
  }

  private struct WeakFile {
    weak var file: Database.File?
  }

  let state = Mutex(State())
  let audience = Atomic<Int>(0)
  /// Changes with the audience.
  let interest = Hooks.ChangeInterest()
  /// Held while commits are told, one after another; none waits for it.
  let isTelling = Atomic<Bool>(false)
  let writerCount = Atomic<Int>(0)
  let hasChain = Atomic<Bool>(false)
  var file: Database.File? { weakFile.file }
  private let weakFile: WeakFile
  let receiver: @Sendable (Database) -> any CommitReceiver

  init(_ file: Database.File, receiver: @escaping @Sendable (Database) -> any CommitReceiver) {
    weakFile = WeakFile(file: file)
    self.receiver = receiver
  }

  var receivers: [any CommitReceiver] {
    state.withLock { $0.members.compactMap(\.receiver) }
  }
}
