/// What to do when a row breaks a constraint: `OR IGNORE`, `ON CONFLICT REPLACE`.
public enum ConflictResolution: String, Hashable, Sendable, CaseIterable {
  case rollback = "ROLLBACK"
  case abort = "ABORT"
  case fail = "FAIL"
  case ignore = "IGNORE"
  case replace = "REPLACE"
}
