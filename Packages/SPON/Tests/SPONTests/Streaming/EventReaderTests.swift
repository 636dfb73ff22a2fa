import Testing

@testable import SPON

@Suite struct `An event reader` {
  @Test func `returns the same events for any division into two chunks`() {
    for document in StreamCases.all {
      for rules in StreamCases.rules(for: document) {
        let whole = Outcome.whole(document, rules)
        for place in 0...document.count {
          #expect(Outcome.events(document.cut(at: place), rules) == whole)
        }
      }
    }
  }

  @Test func `returns the same events byte by byte`() {
    for document in StreamCases.all {
      for rules in [SPONValue.Rules.standard, .strict, .lenient] {
        #expect(Outcome.events(document.single, rules) == Outcome.whole(document, rules))
      }
    }
  }

  @Test func `returns the same events for any division of a random text`() throws {
    let seed: UInt64 = 20_261_121
    print("seed of random documents in chunks: \(seed)")
    var values = StreamValues(numbers: SeededGenerator(seed: seed))
    for round in 0..<(StreamCases.isThorough ? 30_000 : 150) {
      let value = values.value(depth: 4)
      var bytes = try value.bytes(round % 3 == 0 ? .prettyPrinted : [])
      #expect(Outcome.events(bytes.cut(&values.numbers)) == .read(value))
      // The same with some bytes changed or removed.
      for _ in 0..<3 {
        let place = Int.random(in: 0..<bytes.count, using: &values.numbers)
        if Bool.random(using: &values.numbers), bytes.count > 1 {
          bytes.remove(at: place)
        } else {
          bytes[place] = "`<>[]@=, !~2x\u{80}".utf8.randomElement(using: &values.numbers) ?? 0
        }
        for rules in [SPONValue.Rules.standard, .strict, .lenient] {
          #expect(Outcome.events(bytes.cut(&values.numbers), rules) == .whole(bytes, rules))
          #expect(Outcome.element(bytes.cut(&values.numbers), rules) == .whole(bytes, rules))
        }
      }
    }
  }

  @Test func `returns keys, indexes and depths`() throws {
    var reader = SPONEventReader()
    reader.append("@obj:Lot<@spon!=`2` tags=@array[`red`, @obj<>] n!=`1`>".utf8)
    reader.finish()
    var events: [SPONEventReader.Event] = []
    while let event = try reader.next() { events.append(event) }
    #expect(
      events == [
        SPONEventReader.Event(.beginObject(typeName: "Lot"), key: nil, depth: 0),
        SPONEventReader.Event(.beginArray, key: .key("tags"), depth: 1),
        SPONEventReader.Event(.scalar(.string("red")), key: .index(0), depth: 2),
        SPONEventReader.Event(.beginObject(typeName: ""), key: .index(1), depth: 2),
        SPONEventReader.Event(.endObject, key: .index(1), depth: 2),
        SPONEventReader.Event(.endArray, key: .key("tags"), depth: 1),
        SPONEventReader.Event(.scalar(.integer(1)), key: .key("n"), depth: 1),
        SPONEventReader.Event(.endObject, key: nil, depth: 0),
      ])
  }

  @Test func `returns each event as soon as its bytes are available`() throws {
    var reader = SPONEventReader()
    var kinds: [Int] = []
    for byte in "@array[1!, `a`, @obj:T<x!=`2`>]".utf8 {
      reader.append([byte])
      while let event = try reader.next() {
        #expect(event.depth <= 2)
        kinds.append(reader.position.byteOffset)
      }
    }
    // A reader must know whether the first pair of the root object is the marker; other objects
    // have none.
    #expect(kinds == [7, 9, 14, 23, 29, 30, 31])
    #expect(!reader.isAtEnd)
    reader.finish()
    #expect(try reader.next() == nil)
    #expect(reader.isAtEnd)
  }

  @Test func `throws the same error again`() throws {
    var reader = SPONEventReader()
    reader.append("@array[1!,\n ž!".utf8)
    #expect(try reader.next() != nil)
    #expect(try reader.next() != nil)
    #expect(try reader.next() == nil)
    reader.append("]".utf8)
    let error = try #require(throws: SPONError.self) { try reader.next() }
    #expect(error.code == .invalidNumber)
    #expect(error.position == SPONError.Position(byteOffset: 12, line: 2, column: 2))
    #expect(error.codingPath == [.index(1)])
    reader.append("@array[]".utf8)
    reader.finish()
    for _ in 0..<2 {
      #expect(try #require(throws: SPONError.self) { try reader.next() } == error)
    }
    #expect(!reader.isAtEnd)
    #expect(reader.tokens.buffer.count < 20)
  }

  @Test func `returns nil again at the end, and rejects bytes after it`() throws {
    var reader = SPONEventReader()
    reader.append("@array[]  ".utf8)
    reader.finish()
    while try reader.next() != nil {}
    #expect(try reader.next() == nil)
    reader.append([])
    #expect(try reader.next() == nil)
    #expect(reader.isAtEnd)
    reader.append(" ".utf8)
    let error = try #require(throws: SPONError.self) { try reader.next() }
    #expect(error.code == .trailingText)
    #expect(error.position?.byteOffset == 10)
  }

  @Test func `reports the position of an error after most of the text was discarded`() throws {
    var reader = SPONEventReader()
    reader.append("@array[\n".utf8)
    for line in 0..<200 {
      reader.append("\(line)!,\n".utf8)
      while try reader.next() != nil {}
      #expect(reader.tokens.buffer.count < 40)
    }
    reader.append("`ž` x".utf8)
    let error = try #require(throws: SPONError.self) { while try reader.next() != nil {} }
    #expect(error.code == .unexpectedText)
    #expect(error.position?.line == 202)
    #expect(error.position?.column == 5)
    #expect(error.codingPath == [.index(201)])
  }

  @Test func `rejects duplicate keys if the rules require it`() throws {
    let text = "@obj<@spon!=`2` a!=`1` b=@obj<a!=`2`> &u61;$=`3`>"
    #expect(
      Outcome.events(Array(text.utf8).single, .strict) == .whole(Array(text.utf8), .strict))
    #expect(
      Outcome.events(Array(text.utf8).single) == .whole(Array(text.utf8)))
    var limits = SPONValue.Limits()
    limits.count = 2
    let error = Outcome.events(Array("@obj<a!=`1` b!=`1` c!=`1`>".utf8).single, .strict, limits)
    guard case .failed(let error) = error else { throw error }
    #expect(error.code == .tooMany)
  }
}

extension Outcome: Error {}
