import Foundation
import SPON
import Testing

@Suite struct `Trees and streams of values` {
  struct Message: Codable, Equatable {
    var id = 1
    var body: SPONValue
    var more: [SPONValue]?
  }

  @Test func `preserve every value as a property`() throws {
    let seed: UInt64 = 1_128
    print("seed \(seed)")
    var values = RandomValues(seed: seed)
    for _ in 0..<Effort.count(150, all: 5_000) {
      var value = values.value()
      if value == .null { value = .bool(true) }
      let message = Message(body: value, more: [value, .null])
      let text: String
      do {
        text = try SPONEncoder().encode(message)
      } catch let error as SPONError where error.code == .tooDeep {
        continue
      }
      #expect(try SPONDecoder().decode(Message.self, from: text) == message)
      #expect(
        try SPONDecoder().decode(Message.self, from: SPONEncoder().value(of: message)) == message)
    }
  }

  @Test func `are written like themselves, even at the root`() throws {
    let seed: UInt64 = 1_129
    print("seed \(seed)")
    var values = RandomValues(seed: seed)
    for _ in 0..<Effort.count(150, all: 5_000) {
      let value = values.value()
      for formatting: SPONValue.Formatting in [[], .sortedKeys, [.sortedKeys, .prettyPrinted]] {
        var encoder = SPONEncoder()
        encoder.outputFormatting = formatting
        #expect(try encoder.encode(value) == value.text(formatting))
      }
      #expect(try SPONEncoder().value(of: value) == value)
      #expect(try SPONDecoder().decode(SPONValue.self, from: value.text()) == value)
      #expect(try SPONDecoder().decode(SPONValue.self, from: value) == value)
    }
    var encoder = SPONEncoder()
    encoder.version = .one
    #expect(try encoder.encode(SPONValue.array([.integer(1)])) == "@array[1!]")
    #expect(try encoder.encode(object("A")) == "@obj:A<>")
  }

  @Test func `are encoded by other coders with the types that those support`() throws {
    let body = object(
      "",
      [
        "n": .null, "b": .bool(true), "i": .integer(-7), "u": .unsigned(.max), "d": .double(1.5),
        "s": .string("x"), "a": .array([.integer(1), .array([]), object()]),
      ])
    let message = Message(body: body, more: [.string("y"), .bool(false)])
    let json = try JSONEncoder().encode(message)
    let back = try JSONDecoder().decode(Message.self, from: json)
    #expect(back == message)
    let texts = try JSONEncoder().encode([
      SPONValue.bytes([1]), try instant(0), try decimal("1.5"), .opaque("x"), .float(0.5),
    ])
    #expect(
      try JSONDecoder().decode(SPONValue.self, from: texts)
        == .array([
          .string("AQ=="), .string("1970-01-01T00:00:00Z"), .string("1.5"), .string("x"),
          .double(0.5),
        ]))
  }

  struct Pair: Codable, Equatable { var b = [2, 3], a = "1", c = ["y": 1.5, "x": 2] }

  @Test func `are pretty-printed and sorted on request`() throws {
    var encoder = SPONEncoder()
    encoder.outputFormatting = .canonical
    #expect(
      try encoder.encode(Pair())
        == "@obj:Pair<a$=`1` b=@array[2!, 3!] c=@obj:Dictionary<x&=`2.0` y&=`1.5`>>")
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    let text = try encoder.encode(Pair())
    #expect(
      text == """
        @obj:Pair<
          a$=`1`
          b=@array[
            2!,
            3!
          ]
          c=@obj:Dictionary<
            x&=`2.0`
            y&=`1.5`
          >
        >
        """)
    expectRead(text, Pair())
    encoder.outputFormatting = .prettyPrinted
    expectRead(try encoder.encode(Pair()), Pair())
    #expect(try encoder.encode(5) == "5!")
    encoder.version = .two
    #expect(try encoder.encode(["a": 1]) == "@obj:Dictionary<\n  @spon!=`2`\n  a!=`1`\n>")
    #expect(try encoder.bytes(of: [1]) == Array("@array:2[\n  1!\n]".utf8))
    #expect(try encoder.data(of: [1]) == Data("@array:2[\n  1!\n]".utf8))
    #expect(try SPONDecoder().decode([Int].self, from: encoder.data(of: [1])) == [1])
  }

  @Test func `are created from types, and types from them`() throws {
    let value = try SPONEncoder().value(of: Pair())
    #expect(value["b"] == .array([.integer(2), .integer(3)]))
    #expect(value.object?.typeName == "Pair")
    #expect(try SPONDecoder().decode(Pair.self, from: value) == Pair())
    let error = #expect(throws: SPONError.self) {
      try SPONDecoder().decode(Pair.self, from: object("", ["a": "x", "c": .object([:]), "b": 1]))
    }
    #expect(error?.code == .typeMismatch && error?.codingPath == [.key("b")])
  }

  // MARK: Streams

  private func elements(_ text: String, at pattern: SPONPath.Pattern = .elements) throws
    -> [SPONElementReader.Element]
  {
    var reader = SPONElementReader(at: pattern)
    reader.append(Array(text.utf8))
    reader.finish()
    var elements: [SPONElementReader.Element] = []
    while let element = try reader.next() { elements.append(element) }
    return elements
  }

  @Test func `are decoded from the elements of a stream, with the positions of errors`() throws {
    let found = try elements(
      """
      @array[@obj<a$=`1` b=@array[2!, 3!] c=@obj<>>,

        @obj<a$=`ž` b=@array[`x`] c=@obj<>>, 5!]
      """)
    #expect(try SPONDecoder().decode(Pair.self, from: found[0]).b == [2, 3])
    #expect(try SPONDecoder().decode(Int.self, from: found[2]) == 5)
    let error = #expect(throws: SPONError.self) {
      try SPONDecoder().decode(Pair.self, from: found[1])
    }
    #expect(error?.code == .typeMismatch)
    #expect(error?.codingPath == [.index(1), .key("b"), .index(0)])
    #expect(error?.position?.line == 3)
    #expect(error?.position?.column == 25)
    let scalar = #expect(throws: SPONError.self) {
      try SPONDecoder().decode(String.self, from: found[2])
    }
    #expect(scalar?.codingPath == [.index(2)] && scalar?.position == found[2].position)
  }

  @Test func `are decoded from a sequence of chunks`() async throws {
    let text = try SPONEncoder().encode((0..<50).map { Pair(b: [$0]) })
    let chunks = AsyncStream<[UInt8]> { continuation in
      for byte in text.utf8 { continuation.yield([byte]) }
      continuation.finish()
    }
    var read: [Int] = []
    for try await pair in SPONElementReader.Elements(of: chunks).decoded(as: Pair.self) {
      read += pair.b
    }
    #expect(read == Array(0..<50))
  }

  @Test(
    arguments: [SPONValue.Version.one, .two],
    [[], .sortedKeys, [.prettyPrinted, .sortedKeys]] as [SPONValue.Formatting])
  func `encode into a stream`(_ version: SPONValue.Version, _ formatting: SPONValue.Formatting)
    throws
  {
    var writer = SPONStreamWriter(version: version, formatting: formatting)
    try writer.beginObject(typeName: "Lot")
    try writer.key("rows")
    try writer.beginArray()
    try writer.write(encoding: Pair())
    try writer.write(encoding: 5)
    try writer.write(encoding: ["x": [1]])
    try writer.write(encoding: "a`b")
    try writer.end()
    try writer.key("last")
    try writer.write(encoding: Pair())
    try writer.end()
    try writer.finish()
    let text = String(decoding: writer.take(), as: UTF8.self)
    let expected = object(
      "Lot",
      [
        "rows": .array([
          try SPONEncoder().value(of: Pair()), .integer(5),
          try SPONEncoder().value(of: ["x": [1]]), .string("a`b"),
        ]), "last": try SPONEncoder().value(of: Pair()),
      ])
    #expect(try SPONValue(parsing: text) == expected)
    if formatting.isEmpty || version == .two, formatting.contains(.sortedKeys),
      !formatting.contains(.prettyPrinted)
    {
      #expect(text.contains("@obj:Pair<a$=`1` b="))
    }
    var whole = SPONStreamWriter(version: version, formatting: formatting)
    try whole.write(encoding: Pair())
    #expect(try SPONDecoder().decode(Pair.self, from: whole.take()) == Pair())
  }

  @Test func `report the path of a type that a stream can't contain, and write nothing`() throws {
    var writer = SPONStreamWriter(version: .one, limits: SPONValue.Limits(depth: 3))
    try writer.beginArray()
    let first = #expect(throws: SPONError.self) { try writer.write(encoding: [[[1]]]) }
    #expect(first?.code == .tooDeep)
    #expect(first?.codingPath == [.index(0), .index(0), .index(0)])
    let second = #expect(throws: SPONError.self) { try writer.write(encoding: ["a": UInt64.max]) }
    #expect(second?.code == .notRepresentable && second?.codingPath.first == .index(0))
    #expect(throws: MisuseError.self) {
      try writer.write(encoding: Encoding { _ in throw MisuseError() })
    }
    try writer.write(encoding: [[1]])
    let third = #expect(throws: SPONError.self) {
      try writer.write(
        encoding: Encoding {
          var single = $0.singleValueContainer()
          try single.encode(1)
          try single.encode(2)
        })
    }
    #expect(third?.code == .invalidContainer && third?.codingPath == [.index(1)])
    try writer.end()
    #expect(throws: SPONError.self) { try writer.write(encoding: 1) }
    #expect(String(decoding: writer.take(), as: UTF8.self) == "@array[@array[@array[1!]]]")
  }

  struct MisuseError: Error {}
}
