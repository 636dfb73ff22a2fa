import Testing

@testable import SPON

@Suite struct `A stream writer` {
  /// Writes a value incrementally.
  private func pieces(
    _ value: SPONValue, to writer: inout SPONStreamWriter, wholeBelow depth: Int
  ) throws(SPONError) {
    switch value {
    case .array(let elements) where depth > 0:
      try writer.beginArray()
      for element in elements { try pieces(element, to: &writer, wholeBelow: depth - 1) }
      try writer.end()
    case .object(let object) where depth > 0:
      try writer.beginObject(typeName: object.typeName)
      for (key, value) in object {
        try writer.key(key)
        try pieces(value, to: &writer, wholeBelow: depth - 1)
      }
      try writer.end()
    default: try writer.write(value)
    }
  }

  private func text(
    of value: SPONValue, _ version: SPONValue.Version, _ formatting: SPONValue.Formatting,
    wholeBelow depth: Int
  ) throws(SPONError) -> String {
    var writer = SPONStreamWriter(version: version, formatting: formatting)
    try pieces(value, to: &writer, wholeBelow: depth)
    try writer.finish()
    return String(decoding: writer.take(), as: UTF8.self)
  }

  @Test(arguments: [SPONValue.Version.one, .two], [SPONValue.Formatting([]), .prettyPrinted])
  func `writes the same text as for a whole value`(
    _ version: SPONValue.Version, _ formatting: SPONValue.Formatting
  ) throws {
    var values: [SPONValue] = []
    for text in StreamCases.texts {
      if let value = try? SPONValue(parsing: text) { values.append(value) }
    }
    #expect(values.count > 30)
    let seed: UInt64 = 4_711
    print("seed of random values in pieces: \(seed)")
    var random = StreamValues(numbers: SeededGenerator(seed: seed))
    for _ in 0..<60 { values.append(random.object(depth: 3)) }
    var refused = 0
    for value in values {
      for depth in [0, 1, 9] {
        let whole = Result { () throws(SPONError) in try value.text(formatting, version: version) }
        let streamed = Result { () throws(SPONError) in
          try text(of: value, version, formatting, wholeBelow: depth)
        }
        #expect(
          streamed.mapError { SPONError($0.code, "") } == whole.mapError { SPONError($0.code, "") })
        if case .failure = whole { refused += 1 }
      }
    }
    #expect((refused > 0) == (version == .one))
  }

  @Test func `returns the written text once`() throws {
    var writer = SPONStreamWriter()
    try writer.beginObject(typeName: "Lot")
    #expect(writer.pendingCount == 9)
    #expect(String(decoding: writer.take(), as: UTF8.self) == "@obj:Lot<")
    #expect(writer.pendingCount == 0)
    #expect(writer.take() == [])
    try writer.write(.integer(1), forKey: "a")
    try writer.key("b")
    #expect(String(decoding: writer.take(), as: UTF8.self) == "@spon!=`2` a!=`1` b")
    try writer.beginArray()
    try writer.write(.null)
    try writer.write(.string("x"))
    try writer.end()
    #expect(!writer.isComplete)
    try writer.end()
    #expect(writer.isComplete)
    try writer.finish()
    try writer.finish()
    #expect(String(decoding: writer.take(), as: UTF8.self) == "=@array[~, `x`]>")
  }

  @Test func `uses version 2 by default`() throws {
    #expect(SPONStreamWriter().version == .two)
    #expect(SPONStreamWriter(version: .automatic).version == .two)
    #expect(SPONStreamWriter(version: .one).version == .one)
  }

  @Test func `sorts the keys of whole values on request`() throws {
    var writer = SPONStreamWriter(version: .one, formatting: .sortedKeys)
    var object = SPONObject()
    object["b"] = .integer(1)
    object["a"] = .integer(2)
    try writer.beginArray()
    try writer.write(.object(object))
    try writer.end()
    #expect(String(decoding: writer.take(), as: UTF8.self) == "@array[@obj<a!=`2` b!=`1`>]")
  }

  /// A call of a writer.
  enum Call: Sendable {
    case object, array, key(String), value(SPONValue), pair(String, SPONValue), end, finish

    func make(_ writer: inout SPONStreamWriter) throws(SPONError) {
      switch self {
      case .object: try writer.beginObject()
      case .array: try writer.beginArray()
      case .key(let key): try writer.key(key)
      case .value(let value): try writer.write(value)
      case .pair(let key, let value): try writer.write(value, forKey: key)
      case .end: try writer.end()
      case .finish: try writer.finish()
      }
    }
  }

  struct Misuse: Sendable, CustomTestStringConvertible {
    let name: String
    let before: [Call]
    let call: Call
    var code = SPONError.Code.misplacedValue
    let after: [Call]
    let text: String
    var testDescription: String { name }
  }

  static let deep = SPONValue.array([.array([.array([])])])

  static let misuses: [Misuse] = [
    Misuse(
      name: "a value without a key", before: [.object], call: .value(.null),
      after: [.pair("a", .bool(true)), .end], text: "@obj<a%=`true`>"),
    Misuse(
      name: "an array without a key", before: [.object], call: .array, after: [.end],
      text: "@obj<>"),
    Misuse(
      name: "an object without a key", before: [.object, .pair("a", .bool(true))], call: .object,
      after: [.end], text: "@obj<a%=`true`>"),
    Misuse(
      name: "a key in an array", before: [.array, .value(.bool(true))], call: .key("a"),
      after: [.value(.bool(false)), .end], text: "@array[true%, false%]"),
    Misuse(
      name: "a pair in an array", before: [.array], call: .pair("a", .null), after: [.end],
      text: "@array[]"),
    Misuse(
      name: "a key as the root", before: [], call: .key("a"), after: [.array, .end],
      text: "@array[]"),
    Misuse(
      name: "a key behind a key", before: [.object, .key("a")], call: .key("b"),
      after: [.value(.integer(1)), .end], text: "@obj<a!=`1`>"),
    Misuse(
      name: "an end behind a key", before: [.object, .key("a")], call: .end,
      after: [.array, .end, .end], text: "@obj<a=@array[]>"),
    Misuse(
      name: "an end of nothing", before: [], call: .end, after: [.array, .end], text: "@array[]"),
    Misuse(
      name: "an end too many", before: [.array, .end], call: .end, after: [.finish],
      text: "@array[]"),
    Misuse(
      name: "a second root", before: [.array, .end], call: .array, after: [.finish],
      text: "@array[]"),
    Misuse(
      name: "a value behind the root", before: [.value(.array([]))], call: .value(.null),
      after: [.finish], text: "@array[]"),
    Misuse(
      name: "a finish of nothing", before: [], call: .finish, after: [.array, .end],
      text: "@array[]"),
    Misuse(
      name: "a finish in a container", before: [.array], call: .finish, after: [.end],
      text: "@array[]"),
    Misuse(
      name: "a value that version 1 does not have",
      before: [.object, .pair("a", .integer(1)), .key("b")],
      call: .value(.array([.integer(1), .unsigned(.max)])), code: .notRepresentable,
      after: [.value(.integer(2)), .end], text: "@obj<a!=`1` b!=`2`>"),
    Misuse(
      name: "a pair that version 1 does not have", before: [.object],
      call: .pair("a", .unsigned(.max)), code: .notRepresentable,
      after: [.pair("b", .integer(2)), .end], text: "@obj<b!=`2`>"),
    Misuse(
      name: "a key that version 1 does not have", before: [.object], call: .key("a b"),
      code: .notRepresentable, after: [.pair("b", .integer(2)), .end], text: "@obj<b!=`2`>"),
    Misuse(
      name: "a root that version 1 does not have", before: [], call: .value(.integer(1)),
      code: .notRepresentable, after: [.value(.array([]))], text: "@array[]"),
    Misuse(
      name: "an array too deep", before: [.array, .array, .value(.integer(1)), .array],
      call: .array, code: .tooDeep, after: [.end, .end, .end], text: "@array[@array[1!, @array[]]]"),
    Misuse(
      name: "an object too deep", before: [.array, .array, .array], call: .object, code: .tooDeep,
      after: [.end, .end, .end], text: "@array[@array[@array[]]]"),
    Misuse(
      name: "a value too deep", before: [.array, .value(.integer(1))], call: .value(deep),
      code: .tooDeep, after: [.value(.integer(2)), .end], text: "@array[1!, 2!]"),
    Misuse(
      name: "a root too deep", before: [], call: .value(.array([deep])), code: .tooDeep,
      after: [.value(deep)], text: "@array[@array[@array[]]]"),
  ]

  @Test(arguments: misuses)
  func `rejects a call at an invalid position, and remains usable`(_ misuse: Misuse) throws {
    var limits = SPONValue.Limits()
    limits.depth = 3
    var writer = SPONStreamWriter(version: .one, limits: limits)
    for call in misuse.before { try call.make(&writer) }
    let error = try #require(throws: SPONError.self) { try misuse.call.make(&writer) }
    #expect(error.code == misuse.code)
    for call in misuse.after { try call.make(&writer) }
    try writer.finish()
    #expect(String(decoding: writer.take(), as: UTF8.self) == misuse.text)
  }

  @Test func `a type name that version 1 does not support is rejected`() throws {
    var writer = SPONStreamWriter(version: .one)
    let error = try #require(throws: SPONError.self) { try writer.beginObject(typeName: "a<b>") }
    #expect(error.code == .notRepresentable)
    try writer.beginObject(typeName: "a(b)")
    try writer.end()
    #expect(String(decoding: writer.take(), as: UTF8.self) == "@obj:a(b)<>")
  }

  @Test func `an error has the path of the value`() throws {
    var writer = SPONStreamWriter(version: .one)
    try writer.beginObject()
    try writer.key("rows")
    try writer.beginArray()
    try writer.write(.integer(1))
    let error = try #require(throws: SPONError.self) { try writer.write(.unsigned(.max)) }
    #expect(error.codingPath == [.key("rows"), .index(1)])
    #expect(error.position == nil)
  }

  @Test func `does not retain text that was taken`() throws {
    var writer = SPONStreamWriter()
    var reader = SPONElementReader()
    var most = 0
    var found = 0
    try writer.beginArray()
    for row in 0..<2_000 {
      try writer.write(.array([.integer(Int64(row)), .string("row \(row)")]))
      most = max(most, writer.pendingCount)
      if writer.pendingCount > 500 { reader.append(writer.take()) }
      while try reader.next() != nil { found += 1 }
    }
    try writer.end()
    reader.append(writer.take())
    reader.finish()
    while try reader.next() != nil { found += 1 }
    #expect(most < 600)
    #expect(found == 2_000)
  }

  @Test func `writes a sequence of values as an array, in chunks`() async throws {
    let values = AsyncStream<SPONValue> { continuation in
      for number in 0..<100 { continuation.yield(.integer(Int64(number))) }
      continuation.finish()
    }
    var writer = SPONStreamWriter()
    try writer.beginObject()
    try writer.key("numbers")
    var chunks: [[UInt8]] = []
    try await writer.writeArray(of: values, chunkSize: 50) { chunks.append($0) }
    try writer.end()
    chunks.append(writer.take())
    #expect(chunks.dropLast(2).allSatisfy { (50..<60).contains($0.count) })
    #expect(chunks.count > 5)
    var object = SPONObject()
    object["numbers"] = .array((0..<100).map { .integer($0) })
    #expect(try Array(chunks.joined()) == SPONValue.object(object).bytes(version: .two))
  }

  @Test func `a sequence that fails leaves its array open`() async throws {
    struct Broken: Error {}
    let values = AsyncThrowingStream<SPONValue, any Error> { continuation in
      continuation.yield(.integer(1))
      continuation.finish(throwing: Broken())
    }
    var writer = SPONStreamWriter()
    await #expect(throws: Broken.self) { try await writer.writeArray(of: values) { _ in } }
    #expect(throws: SPONError.self) { try writer.finish() }
    let one = AsyncStream<SPONValue> { continuation in
      continuation.yield(.integer(1))
      continuation.finish()
    }
    var other = SPONStreamWriter()
    await #expect(throws: Broken.self) {
      try await other.writeArray(of: one, chunkSize: 0) { _ in throw Broken() }
    }
    let (endless, continuation) = AsyncStream.makeStream(of: SPONValue.self)
    let task = Task {
      var writer = SPONStreamWriter()
      try await writer.writeArray(of: endless) { _ in }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    _ = continuation
  }
}
