internal import SQLiteCore

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
