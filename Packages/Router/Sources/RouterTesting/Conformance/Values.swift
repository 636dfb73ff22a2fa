internal import Router
internal import SQLiteCore

extension RouteExecutorConformance {
  private static let samples: [(String, SQLiteValue)] = [
    ("0", 0), ("-1", -1), ("the least integer", .integer(.min)),
    ("the greatest integer", .integer(.max)),
    ("an integer that no double can represent", .integer(1 << 53 + 1)),
    ("a fraction", 0.1), ("a negative fraction", -2.5),
    ("a whole double", 3.0),
    ("the greatest double", .real(.greatestFiniteMagnitude)),
    ("the least double", .real(.leastNonzeroMagnitude)), ("infinity", .real(.infinity)),
    ("negative infinity", .real(-.infinity)),
    ("an empty text", ""), ("a text", "Milk"), ("a text of digits", "0123"),
    ("a text that is a number", "1.5"), ("the text NULL", "NULL"),
    ("a text with quotes", #"it's "so" `x` [y]"#),
    ("a text that is SQL", "'; DROP TABLE value; --"),
    ("a text with line breaks", "a\nb\r\n\tc"), ("a decomposed character", "e\u{301}"),
    ("a composed character", "é"), ("a text with emoji", "👩‍👩‍👧‍👦🇨🇭"),
    ("a right-to-left text", "שלום עליכם"), ("a text outside the basic plane", "𝔘𐍈"),
    ("a long text", .text(String(repeating: "ab€", count: 2_000))),
    ("an empty blob", .blob([])), ("a zero byte", .blob([0])),
    ("all bytes", .blob(Array(0...255))),
    ("the bytes of a text", .blob(Array("Milk".utf8))),
    ("many bytes", .blob(Array(repeating: 7, count: 5_000))),
  ]

  /// Written values are read unchanged, and are found by filters.
  static let valueCases: [Case] = sampleCases + typedCases + likenessCases

  private static let sampleCases: [Case] = samples.map { name, value in
    stored(value, in: "value", "v", "\(name) is stored, and found", needs: .untypedColumns)
  }

  /// The samples that a column of their type returns unchanged: SQLite's `RETURNING` returns 3.0 as 3.
  private static let typedSamples = samples.filter { $0.1 != 3.0 }

  /// The same values in columns of their types.
  private static let typedCases: [Case] = typedSamples.map { name, value in
    let column: DatabaseRoute.Column =
      switch value {
      case .null, .integer: "rank"
      case .real: "price"
      case .text: "name"
      case .blob: "data"
      }
    return stored(
      value, in: "item", column, "\(name) is stored in a column of its type, and found")
  }

  /// A rule for a value that is written with others of its type.
  private static func stored(
    _ value: SQLiteValue, in table: DatabaseRoute.Table, _ column: DatabaseRoute.Column,
    _ name: String, needs: Capabilities = []
  ) -> Case {
    Case(.values, name, needs: needs, writes: true) { subject in
      let isTyped = table == "item"
      let others = (isTyped ? typedSamples : samples).map(\.1).filter {
        $0 != value && (!isTyped || $0.hasSameType(as: value))
      }.prefix(3)
      try await subject.executor.perform(delete(from: table, .all))
      let records = ([value] + others).enumerated().map { number, value -> DatabaseRoute.Record in
        ["id": .integer(Int64(number + 1)), column: value]
      }
      let route = insert(records, into: table).selecting(column)
      let expected = DataValue(value)
      try await subject.expectRows(([value] + others).map { [DataValue($0)] }, route)
      for filter in [
        column.equals(value), column.in([value]), column.isNotDistinct(from: value),
      ] {
        try await subject.expectRows(
          [[expected]], DatabaseRoute.fetch(from: table, filteredBy: filter).selecting(column))
      }
      try await subject.expectRows(
        [[expected]], update([column: value], in: table, id.equals(2)).selecting(column))
    }
  }

  private static let likenessCases: [Case] =
    [
      Case(
        .values, "NULL is stored, and found", needs: .untypedColumns, writes: true
      ) { subject in
        let column = DatabaseRoute.Column("v")
        try await subject.expectRows(
          [[nil], [""]], insert([["v": nil], ["v": ""]], into: "value").selecting("v"))
        try await subject.expectRows(
          [[1]], DatabaseRoute.fetch(from: "value", filteredBy: column.isNull()).selecting("id"))
      },
      Case(
        .values, "an integer and a text of its digits differ", needs: .untypedColumns, writes: true
      ) { subject in
        let column = DatabaseRoute.Column("v")
        try await subject.executor.perform(insert([["v": 1], ["v": "1"]], into: "value"))
        try await subject.expectRows(
          [[1]], DatabaseRoute.fetch(from: "value", filteredBy: column.equals(1)).selecting("id"))
        try await subject.expectRows(
          [[2]], DatabaseRoute.fetch(from: "value", filteredBy: column.equals("1")).selecting("id"))
      },
      Case(
        .values, "a text and the bytes of its characters differ", needs: .untypedColumns,
        writes: true
      ) { subject in
        let column = DatabaseRoute.Column("v")
        try await subject.executor.perform(
          insert([["v": "a"], ["v": .blob([97])]], into: "value"))
        try await subject.expectRows(
          [[1]], DatabaseRoute.fetch(from: "value", filteredBy: column.equals("a")).selecting("id"))
      },
      Case(.values, "Swift values are unchanged when read", writes: true) { subject in
        struct Sample: Codable, Hashable, Sendable {
          var id: Int
          var rank: Int64
          var price: Double
          var data: [UInt8]?
          var name: String?
          var done: Bool
        }
        let sample = Sample(
          id: 9, rank: .max, price: 0.1, data: nil, name: "\u{1F600}'", done: true)
        let saved = try await subject.executor.value(
          Sample.self, for: .insert(sample, into: "item"))
        try subject.expect(saved, sample, "the value")
      },
    ]
}

extension SQLiteValue {
  fileprivate func hasSameType(as other: SQLiteValue) -> Bool {
    switch (self, other) {
    case (.integer, .integer), (.real, .real), (.text, .text), (.blob, .blob): true
    default: false
    }
  }
}
