internal import Primitives

extension ResultFormat {
  /// Rows as columns that stand below each other, under their names.
  ///
  /// ```swift
  /// var table = ResultFormat.ColumnTable(names: ["id", "name"])
  /// table.add([1, "Ada"])
  /// var text = ""
  /// table.flush(to: &text)
  /// // id  name
  /// // --  ----
  /// // 1   Ada
  /// ```
  ///
  /// Columns are as wide as their widest value, by what letters take in a terminal. Rows can be written in parts: then the columns
  /// of a later part are as wide as those before, or wider.
  public struct ColumnTable: Sendable {
    /// What a piece of a table is, for who paints it.
    public enum Part: Hashable, Sendable { case name, rule, null, number, text, blob }

    /// Whether columns of numbers end, and not begin, below each other.
    public var alignsNumbers = false
    /// The most columns of a terminal that a value takes before it is cut; `nil` for no limit.
    public var maximumWidth: Int?
    /// Gives a piece its colour, say. What it adds must take no place; the spaces around are not handed to it.
    public var paint: (@Sendable (String, Part) -> String)?
    private var table: TextTable
    /// The parts of each row that waits.
    private var parts: [[Part]] = []
    private var isNumeric: [Bool]
    private var isBegun = false

    public init(names: [String]) {
      table = TextTable(
        names.map { .left(ResultText.onOneLine($0), limit: nil) }, indent: 0, rule: "-")
      isNumeric = Array(repeating: true, count: names.count)
    }

    /// How many rows wait to be written.
    public var pendingCount: Int { parts.count }

    /// Adds a row, with a value for each column.
    public mutating func add(_ values: [SQLiteValue]) {
      let parts = values.map(Self.part)
      for (index, part) in parts.enumerated() where index < isNumeric.count {
        if part != .number, part != .null { isNumeric[index] = false }
      }
      table.add(values.map(text))
      self.parts.append(parts)
    }

    private static func part(_ value: SQLiteValue) -> Part {
      switch value {
      case .null: .null
      case .integer, .real: .number
      case .text: .text
      case .blob: .blob
      }
    }

    private func text(_ value: SQLiteValue) -> String {
      guard let maximumWidth else { return ResultText.plain(value) }
      let text =
        switch value {
        case .blob(let bytes) where bytes.count > maximumWidth:
          SQLiteValue.blob(Array(bytes.prefix(maximumWidth))).description
        case .text(let long) where long.utf8.count > maximumWidth * 16:
          ResultText.onOneLine(String(long.prefix(maximumWidth + 1)))
        default: ResultText.plain(value)
        }
      return text.truncated(to: maximumWidth)
    }

    /// Writes the rows that wait; before the first ones, the names.
    public mutating func flush<Sink: TextOutputStream>(to sink: inout Sink) {
      guard !isNumeric.isEmpty else { return }
      if !isBegun, parts.isEmpty { isNumeric = isNumeric.map { _ in false } }
      isBegun = true
      for index in isNumeric.indices {
        table.columns[index].alignment = alignsNumbers && isNumeric[index] ? .right : .left
      }
      let lines = table.takeLines { cell, line, column in
        guard let paint else { return cell }
        return switch line {
        case .titles: paint(cell, .name)
        case .rule: paint(cell, .rule)
        case .row(let row): paint(cell, parts[row][column])
        }
      }
      for line in lines { sink.write(line + "\n") }
      parts.removeAll(keepingCapacity: true)
    }
  }
}
