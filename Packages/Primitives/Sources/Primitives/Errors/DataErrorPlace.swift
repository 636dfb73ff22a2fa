/// The place of a failure, as far as it is known.
public struct DataErrorPlace: Hashable, Sendable {
  /// The path of the file.
  public var file: String?
  /// The place in the text of the file, or in ``sql``.
  public var position: Position?
  /// The SQL that was run.
  public var sql: String?
  /// The table.
  public var table: String?
  /// The columns of ``table``, or of the result: those of a constraint that is not satisfied, or the one
  /// that can't be read.
  public var columns: [String]
  /// The keys and indexes that lead to the value in a document, as text: `players[3].name`.
  public var path: String?

  public init(
    file: String? = nil, position: Position? = nil, sql: String? = nil, table: String? = nil,
    columns: [String] = [], path: String? = nil
  ) {
    self.file = file
    self.position = position
    self.sql = sql
    self.table = table
    self.columns = columns
    self.path = path
  }

  /// A place in a text.
  public struct Position: Hashable, Sendable {
    /// The bytes of UTF-8 before it.
    public var byteOffset: Int?
    /// The line, from 1.
    public var line: Int?
    /// The column in the line, from 1.
    public var column: Int?

    public init(byteOffset: Int? = nil, line: Int? = nil, column: Int? = nil) {
      self.byteOffset = byteOffset
      self.line = line
      self.column = column
    }
  }
}
