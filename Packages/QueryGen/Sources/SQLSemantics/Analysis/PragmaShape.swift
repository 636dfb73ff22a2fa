internal import SQLSyntax

/// What `PRAGMA` statements return, and whether SQLite calls them read-only.
///
/// See <https://www.sqlite.org/pragma.html>. A pragma that SQLite does not know does nothing.
enum PragmaShape {
  /// Pragmas that return a row even when they set a value.
  private static let answersWhenSet: Set<String> = [
    "journal_mode", "locking_mode", "busy_timeout", "wal_autocheckpoint", "journal_size_limit",
    "mmap_size", "max_page_count", "secure_delete", "soft_heap_limit", "hard_heap_limit",
    "threads", "analysis_limit", "table_info", "table_xinfo", "index_info", "index_xinfo",
    "index_list", "foreign_key_list", "foreign_key_check", "integrity_check", "quick_check",
    "wal_checkpoint", "table_list", "optimize", "data_version", "database_list",
    "collation_list", "compile_options", "freelist_count", "function_list", "module_list",
    "page_count", "pragma_list",
  ]

  static func columns(of name: String, hasValue: Bool) -> [String] {
    switch name {
    case "wal_checkpoint": return ["busy", "log", "checkpointed"]
    case "wal_autocheckpoint": return ["wal_autocheckpoint"]
    case "mmap_size": return ["mmap_size"]
    default: break
    }
    guard let columns = TableFunctions.pragmaColumns(name) else { return [] }
    return hasValue && !answersWhenSet.contains(name) ? [] : columns
  }

  /// Whether a value switches something on: `ON`, `yes`, `true`, or a number that is not zero.
  static func isOn(_ value: Pragma.Value) -> Bool {
    switch value {
    case .number(let text): (Double(text) ?? 0) != 0
    case .name(let name): ["on", "yes", "true"].contains(name.folded)
    }
  }

  static func isReadOnly(_ name: String, _ value: Pragma.Value?) -> Bool {
    let changesFile: Set<String> = [
      "application_id", "user_version", "schema_version", "default_cache_size",
    ]
    switch name {
    case "journal_mode", "incremental_vacuum", "wal_checkpoint": return false
    default: return value == nil || !changesFile.contains(name)
    }
  }
}
