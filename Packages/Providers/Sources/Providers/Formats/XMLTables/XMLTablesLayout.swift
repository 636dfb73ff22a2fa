/// How tables stand in a document that is not Holt's own: what is around the rows, and where each column is.
struct XMLTablesLayout: Sendable {
  /// How many spaces a level is indented by; `nil` where nothing is.
  var indentation: Int?
  /// The document type, as it is written.
  var documentType: [UInt8]?
  /// What stands before the root element, and behind it.
  var before: [Content] = []
  var after: [Content] = []
  /// The root element.
  var root: Content = .rows([0])
  var shape = XMLShape()
  var tables: [Table] = []

  /// An element around rows.
  struct Element: Sendable {
    var name: XMLShape.Name
    var declarations: [XMLShape.Declaration]
    var attributes: [(name: XMLShape.Name, value: String)]
    var content: [Content] = []
    /// How many elements were read in it.
    var elementCount = 0
  }

  indirect enum Content: Sendable {
    case element(Element)
    case text(String)
    case comment(String)
    case instruction(String, String)
    /// An element with all that is in it, as its text.
    case markup([UInt8])
    /// Where the rows of these nodes are.
    case rows([Int])
  }

  struct Table: Sendable {
    let node: Int
    let parent: Int?
    let isOrdered: Bool
    /// As SQL knows it.
    let name: String
    /// The column that is the key of its rows; `nil` where there is none.
    var key: String?
    /// The columns of the nodes of its rows.
    var columns: [Column] = []
  }

  struct Column: Sendable {
    let node: Int
    let place: Place
    /// As SQL knows it.
    let name: String
    /// How its values were written.
    var form = TableCollector.ColumnForm()
  }

  enum Place: Hashable, Sendable {
    case text, markup
    case attribute(Int)
  }

  /// The numbers of rows that others are in.
  static let numberColumn = "#row"
  static let parentColumn = "#parent"
  static let positionColumn = "#position"
}
