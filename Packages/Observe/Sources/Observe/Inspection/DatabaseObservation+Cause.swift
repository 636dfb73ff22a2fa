public import SQLiteCore

extension DatabaseObservation {
  /// The reason why an observation fetched.
  public enum Trigger: Hashable, Sendable {
    /// There was no value yet.
    case first
    /// A commit, while the consumer waited.
    case commit
    /// A commit that changed the schema, which affects every observation, while the consumer
    /// waited.
    case schemaChange
    /// A call of `Database.notifyChanges(in:)`, while the consumer waited.
    case notification
    /// The consumer requested the next value, and the log showed that the last one had become
    /// stale: by a commit while the consumer was busy, or during the last fetch.
    case caughtUp
    /// The observation was resumed, and its value had become stale in the meantime.
    case resumed
    /// The value was older than `refreshed(within:)` allows.
    case expired

    /// The trigger of observations that are woken by the given changes.
    init(_ changes: ChangeSet) {
      if changes.schemaChanged {
        self = .schemaChange
      } else {
        self = changes.origins == .notifications ? .notification : .commit
      }
    }
  }
}

extension DatabaseObservation {
  /// The cause of a fetch: its trigger, and the changes that made the value stale.
  public struct Cause: Hashable, Sendable {
    /// The reason for the fetch.
    public let trigger: Trigger
    /// The relevant changes, in the order of their commits, one entry per table. Empty for a first
    /// value.
    ///
    /// All changes that the fetch reads are included, even those committed while it waited.
    public let matches: [Match]

    /// The precision with which a change was matched.
    public enum Precision: Hashable, Sendable {
      /// The observation depends on everything, or anything may have changed.
      case everything
      /// Rows of a table were inserted or deleted, or the changes are unknown.
      case table
      /// Rows were updated in these columns that are read.
      case columns(Region.ColumnSet)
      /// These rows were changed, and the predicate holds for their old or new values.
      case rows([ChangeSet.ChangedRow.Key])
    }

    /// The relevant changes of one table in a commit.
    public struct Match: Hashable, Sendable {
      /// The commit; a range if old commits were merged.
      public let sequences: ClosedRange<UInt64>
      /// The precision of the match.
      public let precision: Precision
      /// The table; `nil` if it is unknown.
      public let table: TableName?
      /// The relevant changes of the table; `nil` if ``table`` is.
      public let change: ChangeSet.TableChange?
      /// A Boolean value that indicates whether the schema was changed, which may affect any table.
      public let schemaChanged: Bool
    }

    /// The range of relevant commits; `nil` if there is none.
    public var sequences: ClosedRange<UInt64>? {
      guard let first = matches.first, let last = matches.last else { return nil }
      return first.sequences.lowerBound...last.sequences.upperBound
    }

    /// The number of relevant commits. It exceeds one if commits came faster than values were
    /// fetched.
    ///
    /// Merged commits are counted individually.
    public var commitCount: Int { Set(matches.map(\.sequences)).reduce(0) { $0 + $1.count } }
  }
}

extension DatabaseObservation.Cause.Match {
  /// Returns the changes of a change set that are relevant to a region.
  static func all(of changes: ChangeSet, in region: Region) -> [Self] {
    let sequences = changes.sequences
    if changes.coversEverything {
      return [
        Self(
          sequences: sequences, precision: .everything, table: nil, change: nil,
          schemaChanged: changes.schemaChanged)
      ]
    }
    let tables = changes.tables.sorted { $0.key.description < $1.key.description }
    return tables.compactMap { table, change in
      guard case .tables(let regions) = region.extent else {
        return Self(
          sequences: sequences, precision: .everything, table: table, change: change,
          schemaChanged: false)
      }
      guard let region = regions[table], region.overlaps(change) else { return nil }
      let change = region.matching(change)
      return Self(
        sequences: sequences, precision: region.precision(of: change), table: table,
        change: change, schemaChanged: false)
    }
  }
}

extension TableRegion {
  /// Returns the part of a table's changes that is relevant, down to rows if they are known.
  fileprivate func matching(_ change: ChangeSet.TableChange) -> ChangeSet.TableChange {
    guard let rows = change.rows, let layout = change.layout else { return change }
    return ChangeSet.TableChange(rows.filter { overlaps($0, layout: layout) }, layout: layout)
  }

  /// Returns the precision with which a change matches.
  fileprivate func precision(of change: ChangeSet.TableChange)
    -> DatabaseObservation.Cause.Precision
  {
    if rows != nil, let rows = change.rows { return .rows(rows.map(\.key)) }
    guard change.kinds == .update, columns.intersects(change.updatedColumns) else { return .table }
    switch (columns, change.updatedColumns) {
    case (.some(let read), .some(let updated)): return .columns(.some(read.intersection(updated)))
    case (.all, let known), (let known, .all): return .columns(known)
    }
  }
}

extension DatabaseObservation.Cause: CustomStringConvertible {
  /// The trigger, the commits, and the relevant changes:
  /// `commit 2: player.score: updated 1 row (score: 10 → 12)`.
  public var description: String {
    let shown = 4
    var changes = matches.prefix(shown).map(\.description)
    if matches.count > shown { changes.append("and \(matches.count - shown) more") }
    return changes.isEmpty ? header : "\(header): \(changes.joined(separator: "; "))"
  }

  private var header: String {
    let number = sequences.map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)"
    }
    guard let number, let sequences else { return trigger.description }
    let commits = sequences.count == 1 ? "commit \(number)" : "commits \(number)"
    switch trigger {
    case .first: return trigger.description
    case .commit: return commits
    case .notification where sequences.count == 1: return "notification \(number)"
    case .notification: return "notification, \(commits)"
    case .schemaChange: return "schema change, \(commits)"
    case .caughtUp: return "caught up with \(commits)"
    case .resumed: return "resumed after \(commits)"
    case .expired where matches.isEmpty: return "too old"
    case .expired: return "too old, after \(commits)"
    }
  }
}

extension DatabaseObservation.Trigger: CustomStringConvertible {
  public var description: String {
    switch self {
    case .first: "first value"
    case .commit: "commit"
    case .schemaChange: "schema change"
    case .notification: "notification"
    case .caughtUp: "caught up"
    case .resumed: "resumed"
    case .expired: "too old"
    }
  }
}

extension DatabaseObservation.Cause.Match: CustomStringConvertible {
  /// The table, the matched columns or rows, and their changes.
  public var description: String {
    guard let table, let change else {
      return schemaChanged ? "the schema was changed" : "anything may have changed"
    }
    return switch precision {
    case .everything, .table: "\(table): \(change)"
    case .columns(.all): "\(table): \(change)"
    case .columns(.some(let columns)) where columns.count == 1:
      "\(table).\(columns.map(\.name).joined()): \(change)"
    case .columns(.some(let columns)):
      "\(table).(\(columns.map(\.name).sorted().joined(separator: ", "))): \(change)"
    case .rows(let keys) where keys.count <= 3:
      "\(table)[\(keys.map(\.description).joined(separator: ", "))]: \(change)"
    case .rows: "\(table)[…]: \(change)"
    }
  }
}

extension ChangeSet.ChangedRow.Key: CustomStringConvertible {
  public var description: String {
    switch self {
    case .rowID(let rowID): "\(rowID.rawValue)"
    case .primaryKey(let values): values.map(\.description).joined(separator: " ")
    }
  }
}
