internal import SQLiteCore

extension ManyRelation {
  struct Element: Sendable {
    /// Its position among the owner's links; `nil` for one that is not saved.
    var position: Int64?
    var object: Target
    /// The key of the row that is its link, in a list by a table of yours.
    var link: [SQLiteValue] = []
    /// The row that becomes its link.
    var newLink: (any Table)?
    /// Which of the list's elements it is, as soon as it was to be saved; 0 before.
    var number = 0
    /// Whether it was put behind all that there are, and not only behind those that are here.
    var isAppended = false

    /// The key of the row: keys are compared as such, since texts that Swift holds equal may be two for SQLite.
    var key: StoredKey { StoredKey(object.id) }
  }

  /// A link that was removed.
  struct Removed: Sendable {
    var position: Int64
    let id: Target.ID
    /// The number of the element.
    let number: Int
  }

  struct State: Sendable {
    var metadata = ListMetadata()
    /// The rows in their order.
    var elements: [Element] = []
    /// Those that were appended behind others that are yet to be fetched.
    var tail: [Element] = []
    /// The links that were removed.
    var removed: [Removed] = []
    /// The keys of rows that were links, and are to go.
    var removedLinks: [[SQLiteValue]] = []
    /// Whether the database has more of them behind those that were fetched.
    var hasUnfetched = false
    /// Whether something was appended since the last fetch.
    var hasAppended = false
    /// What the row that was fetched last is ordered by, where it is known: the next page begins behind it.
    var cursor: [SQLiteValue]?
    /// Whether the list is to be saved.
    var isChanged = false
    var successor: ManyRelation?
    var life = Life()
    /// Which loads and saves run, and which loads wait.
    var schedule = ListSchedule()
    /// The loads that wait, suspended.
    var waiters: [ListSchedule.LoadID: CheckedContinuation<Void, Never>] = [:]
    /// Whether the rows are just as they were shown last, with the edits since.
    var isShown = false
    /// The numbers of the rows that were shown last, with the edits since, if the rows are others by now.
    var shown: [Int]?
    /// The number of the last element that got one.
    var lastNumber = 0
    /// The numbers of those that were removed before they had links.
    var removedNumbers: Set<Int> = []
  }
}
