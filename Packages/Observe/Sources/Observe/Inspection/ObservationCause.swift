public import SQLiteCore

extension DatabaseObservation {
  /// What had an observation fetch.
  public enum Trigger: Hashable, Sendable {
    /// There was no value yet.
    case first
    /// A commit, while the consumer waited.
    case commit
    /// A commit that changed the schema, which concerns everyone, while the consumer waited.
    case schemaChange
    /// A call of `Database.notifyChanges(in:)`, while the consumer waited.
    case notification
    /// The consumer asked for more, and the log said that its value had become stale meanwhile: by a commit
    /// while it was busy, or while the last fetch ran.
    case caughtUp
    /// The observation was resumed, and its value had become stale meanwhile.
    case resumed
    /// The value had become older than `refreshed(within:)` allows.
    case expired

    /// What it is for those whom changes wake.
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
  /// Why an observation fetched: what had it do so, and which changes made its value stale.
  public struct Cause: Hashable, Sendable {
    /// What had it fetch.
    public let trigger: Trigger
    /// The changes that mattered, in the order of their commits, each table's apart. There are none for a first
    /// value.
    ///
    /// All that the fetch shows are among them, also those that were committed while it waited.
    public let matches: [Match]

    /// How precisely a change was found to matter.
    public enum Precision: Hashable, Sendable {
      /// The observation depends on everything, or anything may have changed.
      case everything
      /// Rows of a table came or went, or it is not known what happened to it.
      case table
      /// Rows were updated in columns that are read: these.
      case columns(Region.ColumnSet)
      /// Rows were changed for which a predicate holds, or held: these.
      case rows([ChangeSet.ChangedRow.Key])
    }

    /// One table's changes in a commit, as far as they mattered.
    public struct Match: Hashable, Sendable {
      /// The commit; several where they were merged, because they were long ago.
      public let sequences: ClosedRange<UInt64>
      /// How precisely it was found.
      public let precision: Precision
      /// The table; `nil` where that can't be told.
      public let table: TableName?
      /// What mattered of the table's changes; `nil` where ``table`` is.
      public let change: ChangeSet.TableChange?
      /// Whether the schema was changed, and so any table may have been.
      public let schemaChanged: Bool
    }

    /// The commits that mattered, from the first to the last; `nil` where there is none.
    public var sequences: ClosedRange<UInt64>? {
      guard let first = matches.first, let last = matches.last else { return nil }
      return first.sequences.lowerBound...last.sequences.upperBound
    }

    /// How many commits mattered: more than one, where they came faster than values were fetched.
    ///
    /// Of commits that were merged, because they were long ago, each counts.
    public var commitCount: Int { Set(matches.map(\.sequences)).reduce(0) { $0 + $1.count } }
  }
}

extension DatabaseObservation.Cause.Match {
  /// What of a change set mattered to a region.
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
  /// The part of a table's changes that matters, down to rows where these are known.
  fileprivate func matching(_ change: ChangeSet.TableChange) -> ChangeSet.TableChange {
    guard let rows = change.rows, let layout = change.layout else { return change }
    return ChangeSet.TableChange(rows.filter { overlaps($0, layout: layout) }, layout: layout)
  }

  /// What made a change matter.
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
  /// The trigger, the commits, and the changes that mattered: `commit 2: player.score: updated 1 row (score: 10 → 12)`.
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
    case .schemaChange: return "change of the schema, \(commits)"
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
    case .schemaChange: "change of the schema"
    case .notification: "notification"
    case .caughtUp: "caught up"
    case .resumed: "resumed"
    case .expired: "too old"
    }
  }
}

extension DatabaseObservation.Cause.Match: CustomStringConvertible {
  /// The table, the columns or the rows by which it was found, and what was done to them.
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
