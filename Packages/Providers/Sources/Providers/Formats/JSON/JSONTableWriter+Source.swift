internal import Primitives
internal import SQLiteCore

// Writing over the file that was read: only changed values are replaced. The file is read again, a
// row at a time.
extension JSONTableWriter {
  mutating func write(over input: SourceSession.ByteInput) throws {
    var source = try JSONTextSource(input)
    let depth = layout.kind == .array ? 1 : layout.kind == .lines ? 0 : 2
    writer = JSONProvider.EventWriter(collecting: .compact, depth: depth)
    switch layout.kind {
    case .database: break
    case .array:
      try emit(try source.byteOrderMark() + source.space())
      try writeArray(0, over: &source, depth: 0)
    case .lines:
      try emit(try source.byteOrderMark())
      try writeRows(0, over: &source, depth: 0, isArray: false)
    case .object:
      try emit(try source.byteOrderMark() + source.space())
      if plans.count > 1, plans[0].isTableMissing || rows[0]?.hasRow ?? false {
        try writeObject(over: &source)
      } else {
        try writeSingle()
        var update = JSONTextUpdate(layout.formatting)
        try emit(try update.updated(source.value(), with: taken(), depth: 0))
      }
    }
    try emit(try source.space())
    guard try source.next() == nil else { throw JSONTextSource.changed }
    try sink.flush()
  }

  private mutating func emit(_ text: [UInt8]) throws {
    sink.bytes += text
    try sink.flushIfFull()
  }

  /// Returns the text that was collected from the table.
  private mutating func taken() -> [UInt8] { writer.take() }

  private mutating func writeArray(
    _ table: Int, over source: inout JSONTextSource, depth: Int
  ) throws {
    try source.skip(0x5B)
    try emit([0x5B])
    try writeRows(table, over: &source, depth: depth, isArray: true)
    try source.skip(0x5D)
    try emit([0x5D])
  }

  // MARK: Rows

  /// Writes the rows of a table over the elements of an array, or over the values of the file.
  private mutating func writeRows(
    _ table: Int, over source: inout JSONTextSource, depth: Int, isArray: Bool
  ) throws {
    var elements = try Elements(&source, isArray: isArray)
    var update = JSONTextUpdate(layout.formatting)
    let rowDepth = isArray ? depth + 1 : 0
    let known = layout.tables[table].fileRows
    var written = RowIDMap()
    while let rows = rows[table], rows.hasRow {
      let number = rows.rowID.flatMap(known.row)
      if let number { try elements.skip(to: number, &source) }
      written.append(rows.rowID ?? 0)
      // The row may have the rowid of a deleted row, whose `null` values are not its own.
      let isNew = rows.number == .max
      try writeRow(table)
      let isFirst = written.count == 1
      var text = isArray && !isFirst ? [0x2C] : [] as [UInt8]
      if let element = elements.first, element.number == number {
        text += isFirst ? elements.firstSpace : elements.space(of: element)
        text += try update.updated(
          element.text, with: taken(), depth: rowDepth, keepsNull: !isNew)
        text += element.spaceAfter
        try elements.advance(&source)
      } else if elements.wereEmpty {
        text += isArray ? update.space(depth: depth) : isFirst ? [] : layout.formatting.lineBreak
        text += try update.formatted(taken().elementSpan, depth: rowDepth)
      } else {
        text +=
          isFirst
          ? elements.firstSpace : elements.addedSpace(layout.formatting, isArray: isArray)
        text += try update.formatted(taken().elementSpan, depth: rowDepth)
      }
      try emit(text)
    }
    try elements.skip(to: .max, &source)
    if elements.wereEmpty, written.count > 0 {
      try emit(
        isArray ? update.closingSpace(depth: depth) : layout.formatting.lineBreak)
    } else if elements.wereEmpty || written.count > 0 {
      try emit(elements.closingSpace)
    }
    layout.tables[table].fileRows = written
  }

  /// The elements of an array, or the values of a file, with the white space around them. Two
  /// elements are read ahead.
  private struct Elements {
    struct Element {
      let number: Int
      let space: [UInt8]
      let text: [UInt8]
      /// The white space before the comma.
      let spaceAfter: [UInt8]
    }

    private let isArray: Bool
    private var elements: [Element] = []
    private var count = 0
    private var isAtEnd = false
    /// The white space before the first and before the second element.
    private(set) var firstSpace: [UInt8] = []
    private var secondSpace: [UInt8]?
    /// The white space before the closing bracket, or at the end of the file.
    private(set) var closingSpace: [UInt8] = []

    init(_ source: inout JSONTextSource, isArray: Bool) throws {
      self.isArray = isArray
      try read(&source)
      try read(&source)
      firstSpace = elements.first?.space ?? []
      if elements.count > 1 { secondSpace = elements[1].space }
    }

    var wereEmpty: Bool { count == 0 }
    var first: Element? { elements.first }

    func space(of element: Element) -> [UInt8] {
      element.number == 1 ? secondSpace ?? element.space : element.space
    }

    /// Returns the white space before an element that is added after others.
    func addedSpace(_ formatting: JSONProvider.Formatting, isArray: Bool) -> [UInt8] {
      if let secondSpace { return secondSpace }
      if !isArray { return formatting.lineBreak }
      return firstSpace.contains(0x0A)
        ? firstSpace : formatting.hasSpaceAfterComma ? [0x20] : []
    }

    /// Removes the elements before the one with a number, counting from 1.
    mutating func skip(to number: Int, _ source: inout JSONTextSource) throws {
      while let first, first.number < number { try advance(&source) }
    }

    mutating func advance(_ source: inout JSONTextSource) throws {
      elements.removeFirst()
      try read(&source)
    }

    private mutating func read(_ source: inout JSONTextSource) throws {
      guard !isAtEnd else { return }
      let space = try source.space()
      let next = try source.next()
      guard next != nil, !isArray || next != 0x5D else {
        isAtEnd = true
        closingSpace = space
        return
      }
      count += 1
      let text = try source.value()
      var spaceAfter: [UInt8] = []
      if isArray {
        spaceAfter = try source.space()
        if try source.next() == 0x2C {
          try source.skip(0x2C)
        } else {
          isAtEnd = true
          closingSpace = spaceAfter
          spaceAfter = []
        }
      }
      elements.append(Element(number: count, space: space, text: text, spaceAfter: spaceAfter))
    }
  }

  // MARK: The root object

  /// Writes the file's only row, and the tables that are members of it.
  private mutating func writeObject(over source: inout JSONTextSource) throws {
    let root =
      plans[0].isTableMissing && layout.tables[0].name != nil
      ? rootWithTablesOnly() : plans[0].root
    let row = rows[0]
    var update = JSONTextUpdate(layout.formatting)
    try source.skip(0x7B)
    try emit([0x7B])
    var rest = root.children
    var count = 0
    var (firstSpace, secondSpace): ([UInt8]?, [UInt8]?)
    var closingSpace = try source.space()
    while try source.next() == 0x22 {
      let space = closingSpace
      if firstSpace == nil { firstSpace = space } else if secondSpace == nil { secondSpace = space }
      var key = try source.value()
      let name = Array(try JSONTextTree(key).content(of: 0))
      key += try source.space() + [0x3A]
      try source.skip(0x3A)
      key += try source.space()
      let found = rest.firstIndex { $0.key == name }.map { rest.remove(at: $0) }
      let before = count
      let begin = (count > 0 ? [0x2C] : []) + (count == 0 ? firstSpace ?? [] : space) + key
      if let item = found, let table = item.table, try source.next() == 0x5B,
        try item.column.map({ column in try row.map { try !isValue(column, $0) } ?? true }) ?? true
      {
        try emit(begin)
        count += 1
        try writeArray(table, over: &source, depth: 1)
      } else {
        let text = try source.value()
        if let item = found, try isWritten(item, row, 1) {
          try writeContent(item, row, row: 1, plans[0])
          try emit(begin + update.updated(text, with: taken(), depth: 1))
          count += 1
        } else if try JSONTextTree(text).isNull(0) {
          try emit(begin + text)
          count += 1
        }
      }
      closingSpace = try source.space()
      guard try source.next() == 0x2C else { break }
      try source.skip(0x2C)
      if count > before { try emit(closingSpace) }
      closingSpace = try source.space()
    }
    try source.skip(0x7D)
    for item in rest where try isWritten(item, row, 1) {
      try writeContent(item, row, row: 1, plans[0])
      var text: [UInt8] = count > 0 ? [0x2C] : []
      text += count == 0 ? firstSpace ?? update.space(depth: 0) : secondSpace ?? firstSpace ?? []
      JSONText.append(quoted: item.key.elementSpan, to: &text)
      text.append(0x3A)
      if layout.formatting.hasSpaceAfterColon { text.append(0x20) }
      try emit(text + update.formatted(taken().elementSpan, depth: 1))
      count += 1
    }
    if count > 0 || firstSpace == nil { try emit(closingSpace) }
    try emit([0x7D])
    try row?.advance()
    if row?.hasRow ?? false {
      throw JSONPlanner.unrepresentable(
        "the file can contain only one row of this table", table: layout.tables[0].name)
    }
  }
}
