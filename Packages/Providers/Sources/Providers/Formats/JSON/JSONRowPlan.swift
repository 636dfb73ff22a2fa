internal import SQLiteCore

/// How the rows of a table are written: what stands at each member, in the order of the members.
struct JSONRowPlan {
  /// What a cell is written as.
  enum Form {
    case plain
    /// 0 and 1 as `false` and `true`.
    case boolean
    /// A text that is JSON.
    case json
    /// A number without a fraction as an integer, as the file had them among others.
    case shortReal
  }

  /// A member, an element, or the row itself.
  struct Item {
    let node: Int
    let key: [UInt8]
    /// Of the result; `nil` where it has no column.
    var column: ColumnIndex?
    var form = Form.plain
    /// Whether `NULL` is written as `null` in rows of the file, and in new ones.
    var writesNull = (known: false, new: false)
    var children: [Item] = []
    /// Those of a row that is an array, by their places.
    var elements: [Int: Item] = [:]
    var elementCount = 0
    var elementsNode = -1
    /// Which of the tables has its elements.
    var table: Int?
  }

  let table: String
  let isLinked: Bool
  /// Whether the table is not there any more.
  let isGone: Bool
  let rows: RowNumbers
  let root: Item
  let sql: String

  /// Where there is no table: what its rows have that takes no column.
  static func gone(_ root: Item) -> JSONRowPlan {
    JSONRowPlan(
      table: "", isLinked: false, isGone: true, rows: RowNumbers(), root: root, sql: "")
  }
}

extension TableSchema.Column {
  var jsonForm: JSONRowPlan.Form {
    switch SQLName.folded(declaredType) {
    case "boolean", "bool": .boolean
    case "json text", "json": .json
    default: .plain
    }
  }
}
