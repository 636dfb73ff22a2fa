internal import SQLiteCore

extension ManyRelation {
  struct Element: Sendable {
    /// The position among the owner's links; `nil` for an unsaved element.
    var position: Int64?
    var object: Target
    /// The key of the link row, in a list through a link table.
    var link: [SQLiteValue] = []
    /// The row to insert as the link.
    var newLink: (any Table)?
    /// The number that identifies the element; 0 until it is first needed.
    var number = 0
    /// A Boolean value that indicates whether the element was appended after all rows of the list,
    /// not only after the fetched rows.
    var isAppended = false

    /// The row's key. Keys are compared by their stored bytes, since strings that are equal in
    /// Swift may differ in SQLite.
    var key: StoredKey { StoredKey(object.id) }
  }

  /// A removed link.
  struct Removed: Sendable {
    var position: Int64
    let id: Target.ID
    /// The element's number.
    let number: Int
  }

  struct State: Sendable {
    var metadata = ListMetadata()
    /// The rows in list order.
    var elements: [Element] = []
    /// Elements appended after rows that are not yet fetched.
    var tail: [Element] = []
    /// The removed links.
    var removed: [Removed] = []
    /// The keys of link rows to delete.
    var removedLinks: [[SQLiteValue]] = []
    /// A Boolean value that indicates whether the database has more rows after the fetched rows.
    var hasUnfetched = false
    /// A Boolean value that indicates whether rows were appended since the last fetch.
    var hasAppended = false
    /// The ordering values of the last fetched row, if known: the next page begins after it.
    var cursor: [SQLiteValue]?
    /// A Boolean value that indicates whether the list has unsaved changes.
    var isChanged = false
    var successor: ManyRelation?
    /// The rows read by the subscription, until the list is next read.
    var pendingResult: ReadResult?
    /// A Boolean value that indicates whether rows that are not shown precede shown rows.
    var hasUnshownRows = false
    /// The error from the most recent refresh after a commit.
    var failure: (any Error)?
    /// The running loads and saves, and the waiting loads.
    var schedule = ListSchedule()
    /// The continuations of the waiting loads.
    var waiters: [ListSchedule.LoadID: CheckedContinuation<Void, Never>] = [:]
    /// A Boolean value that indicates whether the elements are exactly the rows that were last
    /// shown, with the edits since.
    var isShown = false
    /// The numbers of the rows that were last shown, with the edits since, if the elements have
    /// changed otherwise.
    var shown: [Int]?
    /// The last assigned element number.
    var lastNumber = 0
    /// The numbers of elements that were removed before they had links.
    var removedNumbers: Set<Int> = []
  }
}
