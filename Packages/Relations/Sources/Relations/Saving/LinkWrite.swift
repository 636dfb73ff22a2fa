internal import SQLiteCore

/// What is changed of an owner's list.
struct LinkWrite: Sendable {
  /// A link as it was when the list was read.
  struct Known: Hashable, Sendable {
    let position: Int64
    let target: [SQLiteValue]
  }

  /// An element that is new.
  struct Element: Sendable {
    /// Which of the list's elements it is.
    let number: Int
    /// The key; `nil` where ``write`` makes it.
    var key: [SQLiteValue]?
    var write: Int?
  }

  /// Elements that are added one behind the other.
  struct Run: Sendable {
    /// The element that they stand behind, by its place in ``LinkWrite/known``; `nil` for the list's beginning.
    let behind: Int?
    var elements: [Element]
  }

  let table: LinkTable
  /// The comparison of the rows' keys.
  var collation = KeyCollation.binary
  /// The owner's key; `nil` where ``ownerWrite`` makes it.
  var owner: [SQLiteValue]?
  var ownerWrite: Int?
  /// The elements that stay, in the order in which they are shown; none where their places don't matter.
  var known: [Known] = []
  /// Those that are given up.
  var removed: [Known] = []
  var runs: [Run] = []
  /// Those that are added behind all.
  var last: [Element] = []
  /// Whether these are shown, and not behind others that are yet to be fetched.
  var showsLast = false
  /// The position of the last one that is shown.
  var lastShown: Int64?

  /// Whether nothing has to be known of what is there.
  var onlyAppends: Bool { removed.isEmpty && runs.isEmpty }
}

/// What has become of a list.
struct LinkChanges: Sendable {
  /// The positions of those that were added, by their numbers.
  var added: [Int: Int64] = [:]
  /// The positions of those that were known, `nil` for each that is gone; `nil` where it was not looked for them.
  var known: [Int64?]?
  /// Whether there are others behind those that are shown, or between them.
  var hasOthers = false
  /// Whether there are some before the last one that is shown.
  var hasOthersBefore = false
}
