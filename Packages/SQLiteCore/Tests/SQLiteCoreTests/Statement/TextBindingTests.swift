import Primitives
import SQLiteCore
import Testing

@Suite struct `Strings as spans` {
  @Test(arguments: ["", "a", "Žluťoučký 🐎", "a\0b", String(repeating: "long ", count: 10_000)])
  func `are bound as a copy`(_ text: String) throws {
    let connection = try Connection.inMemory()
    let statement = try connection.prepare("SELECT ?, typeof(?1)")
    var bytes = Array(text.utf8)
    try statement.bindText(bytes.elementSpan, at: 1)
    for index in bytes.indices { bytes[index] = 0x78 }
    let hasRow = try statement.step()
    #expect(hasRow)
    let (read, type) = (try statement.row.text(at: 0), try statement.row.text(at: 1))
    #expect(read == text)
    #expect(type == "text")
  }

  @Test func `are rejected if they are not valid UTF-8`() throws {
    let connection = try Connection.inMemory()
    let statement = try connection.prepare("SELECT ?")
    let bytes: [UInt8] = [0x61, 0xFF]
    let error = #expect(throws: SQLiteError.self) {
      try statement.bindText(bytes.elementSpan, at: 1)
    }
    #expect(error?.code == .invalidText)
  }
}
