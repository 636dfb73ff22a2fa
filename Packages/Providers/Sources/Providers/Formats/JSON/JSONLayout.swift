internal import Primitives

/// What is remembered of a file in JSON: how it holds tables, where each member of it stands, and how it is spaced.
struct JSONLayout: Sendable {
  enum Kind: Sendable {
    /// Holt's own.
    case database
    /// An array of rows.
    case array
    /// Rows one behind the other.
    case sequence
    /// One row, whose members may be tables.
    case single
  }

  /// A table of an ordinary file.
  struct Table: Sendable {
    /// As SQL knows it; `nil` where the file has nothing for its columns.
    let name: String?
    /// The node of its rows.
    let root: Int
    /// The array whose elements are its rows; -1 where they are those of the text.
    let node: Int
    /// The table whose rows have that array; -1 as well.
    let owner: Int
    /// The columns that say to which row of the owner a row belongs, and where in its array; `nil` where the owner has one
    /// row alone.
    var link: (parent: String, position: String)?
    /// The column that is the key of its rows; `nil` where there is none.
    var key: String?
    /// The rows of the file.
    var rows = RowNumbers()
    /// The nodes of the columns, by the names of these.
    var nodes: [(name: String, node: Int)] = []
  }

  var kind: Kind
  var spelling: JSONSpelling
  var keys = JSONKeyTable()
  var members = JSONMembers()
  var tables: [Table] = []

  static let database = JSONLayout(kind: .database, spelling: .database)
}
