internal import SPON

/// What is remembered of a file in SPON, so that it is written as it was.
enum SPONLayout: Sendable {
  /// The database file of the original, with what it lacks in pairs that it passes over.
  case database(SPONDatabaseLayout)
  /// An array of objects: one table.
  case array(SPONPlainTable?)
  /// An object whose values are arrays of objects: a table for each.
  case object(typeName: String, [SPONPlainTable])
}

struct SPONDatabaseLayout: Sendable {
  struct Table: Sendable {
    /// The statement that made it when it was read: what is remembered holds as long as that is the same.
    let sql: String
    /// What the file says of each column, by its name.
    let columns: [ExactText: SPONObject]
    /// The columns with objects and arrays that are not in a text.
    let nested: Set<ExactText>
  }

  var lastInsertedInto = ""
  var tables: [ExactText: Table] = [:]
}

/// A table that is an array of objects.
struct SPONPlainTable: Sendable {
  /// The key of the array.
  let key: String
  /// The name of the table; `nil` where the array is empty, and there is none.
  let name: String?
  /// The name of the objects' type.
  var typeName = ""
  var columns: [Column] = []

  struct Column: Sendable {
    let key: String
    let name: String
    let form: SPONForm
  }
}

/// How all values of a column are written.
enum SPONForm: String, Sendable {
  case boolean, integer, float, double, text, opaque, data, instant, decimal
  /// Each value by its storage class.
  case mixed
  /// Each value as a text in SPON.
  case any

  /// What SQL declares for it.
  var declaration: String {
    switch self {
    case .boolean: "BOOLEAN"
    case .integer: "INTEGER"
    case .float, .double: "REAL"
    case .text, .opaque: "TEXT"
    case .data: "BLOB"
    case .instant: "DATETIME TEXT"
    case .decimal: "DECIMAL TEXT"
    case .mixed: ""
    case .any: "SPON TEXT"
    }
  }

  /// The form of a column that the file did not have.
  init(declared: String) {
    let name = declared.uppercased()
    if name == "SPON TEXT" {
      self = .any
    } else if name.contains("BOOL") {
      self = .boolean
    } else {
      self = .mixed
    }
  }
}
