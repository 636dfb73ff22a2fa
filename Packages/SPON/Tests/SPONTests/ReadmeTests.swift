import Foundation
import SPON
import Testing

/// The examples of the package's README, which must be identical to it.
@Suite struct `The README's example of` {
  // README: type
  struct Address: Codable, Equatable {
    var city: String
    var zip: Int
    var since: Date?
  }
  // README: end

  @Test func `a type`() throws {
    // README: coding
    let text = try SPONEncoder().encode(Address(city: "Oslo", zip: 150))
    print(text)  // @obj:Address<city$=`Oslo` zip!=`150`>
    let address = try SPONDecoder().decode(Address.self, from: text)
    // README: end
    #expect(text == "@obj:Address<city$=`Oslo` zip!=`150`>")
    #expect(address == Address(city: "Oslo", zip: 150))
  }

  @Test func `an error`() throws {
    // README: error
    do {
      _ = try SPONDecoder().decode(Address.self, from: "@obj<city$=`Oslo` zip$=`0150`>")
    } catch let error as SPONError {
      print(error)  // expected Int, found a string, at line 1, column 25 (byte 24), in zip
    }
    // README: end
    let error = try #require(throws: SPONError.self) {
      try SPONDecoder().decode(Address.self, from: "@obj<city$=`Oslo` zip$=`0150`>")
    }
    #expect("\(error)" == "expected Int, found a string, at line 1, column 25 (byte 24), in zip")
  }

  @Test func `a tree`() throws {
    // README: tree
    var value = try SPONValue(parsing: "@obj:Cart<items=@array[@obj<name$=`nut` count!=`3`>]>")
    value[["items", 0, "count"]] = 4
    value["note"] = "no hurry"
    print(value)  // @obj:Cart<items=@array[@obj<name$=`nut` count!=`4`>] note$=`no hurry`>
    // README: end
    #expect(
      "\(value)" == "@obj:Cart<items=@array[@obj<name$=`nut` count!=`4`>] note$=`no hurry`>")
    // README: json
    let json = try value.json()
    let plain = try value.json(.plain, formatting: .prettyPrinted)
    let back = try SPONValue(json: json)
    // README: end
    #expect(back == value)
    #expect(plain.contains("\"count\": 4"))
  }

  @Test func `a difference`() throws {
    let old: SPONValue = ["name": "Ada"]
    let new: SPONValue = ["name": "Eva"]
    // README: difference
    let difference = old.difference(to: new)
    print(difference)  // ~ name: `Ada` → `Eva`
    let same = try old.applying(difference) == new
    let canonical = try new.text(.sortedKeys)
    // README: end
    #expect("\(difference)" == "~ name: `Ada` → `Eva`")
    #expect(same && canonical == "@obj<name$=`Eva`>")
  }

  @Test func `streams`() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: file) }
    let output = try FileHandle(forWritingTo: file)
    let addresses = (0..<3_000).map { Address(city: "Oslo", zip: $0) }
    // README: writing
    var writer = SPONStreamWriter()
    try writer.beginArray()
    for address in addresses {
      try writer.write(encoding: address)
      if writer.pendingCount > 65_536 { try output.write(contentsOf: writer.take()) }
    }
    try writer.end()
    try output.write(contentsOf: writer.take())
    // README: end
    try output.close()
    #expect(try SPONDecoder().decode([Address].self, from: Data(contentsOf: file)) == addresses)
  }

  @Test func `reading a stream`() async throws {
    let text = "@obj<people=@array[@obj<address=@obj<city$=`Oslo` zip!=`150`>>, @obj<>]>"
    let chunks = AsyncStream { continuation in
      for byte in text.utf8 { continuation.yield([byte]) }
      continuation.finish()
    }
    // README: reading
    let found = SPONElementReader.Elements(of: chunks, at: ["people", .elements, "address"])
    for try await address in found.decoded(as: Address.self) {
      print(address.city)
    }
    // README: end
  }

  @Test func `limits`() throws {
    // README: limits
    var decoder = SPONDecoder()
    decoder.limits = SPONValue.Limits(depth: 32, bytes: 1_000_000)
    decoder.rules = .strict
    // README: end
    #expect(decoder.limits.depth == 32)
  }
}

@Suite struct `The README of SPON` {
  @Test func `contains only code that these tests compile and run`() throws {
    let tests = URL(fileURLWithPath: #filePath)
    let page = tests.deletingLastPathComponent().appendingPathComponent("../../README.md")
    let shown = ReadmeExamples.blocks(ofPage: try String(contentsOf: page, encoding: .utf8))
    let tested = ReadmeExamples.blocks(ofTests: try String(contentsOf: tests, encoding: .utf8))
    #expect(!shown.isEmpty)
    for block in shown { #expect(tested.contains(block), "\(block)") }
    #expect(shown.count == tested.count)
  }
}
