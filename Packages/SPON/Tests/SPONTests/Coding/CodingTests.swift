import Foundation
import SPON
import Testing

struct Address: Codable, Equatable {
  var addr1 = "", city = ""
  var zip: Int?
}
enum Shape: Codable, Equatable { case circle(Double), rect(w: Int, h: Int), none }
struct Person: Codable, Equatable {
  var name = "Ada"
  var home = Address(addr1: "a`b", city: "Oslo", zip: 7)
  var others = [Address(), Address(zip: 3)]
  var shapes: [Shape] = [.circle(1.5), .rect(w: 1, h: 2), .none]
  var map = ["a b": 1, "c": 2]
  var ids = [7: "x"]
  var when = Date(timeIntervalSince1970: 1_700_000_000.75)
  var big = UInt64.max
  var nested = [[1, 2], [], [3]]
  var data = Data([1, 2, 3])
  var dec = Decimal(string: "1.5")!
  var opt: [Int?] = [1, nil]
}

@Test func smoke() throws {
  let p = Person()
  let text = try SPONEncoder().encode(p)
  print(text)
  #expect(try SPONDecoder().decode(Person.self, from: text) == p)
  var e = SPONEncoder()
  e.outputFormatting = [.prettyPrinted, .sortedKeys]
  print(try e.encode(p))
  #expect(try SPONDecoder().decode(Person.self, from: e.encode(p)) == p)
  #expect(try SPONDecoder().decode(Int.self, from: SPONEncoder().encode(5)) == 5)
  do {
    _ = try SPONDecoder().decode(Person.self, from: text.replacing("zip!=`3`", with: "zip$=`3`"))
  } catch { print(error) }
  do {
    _ = try SPONDecoder().decode(Person.self, from: text.replacing("zip!=`3`", with: "zip!=`3k`"))
  } catch { print(error) }
}

@Test func streams() throws {
  var writer = SPONStreamWriter()
  try writer.beginArray()
  for _ in 0..<3 { try writer.write(encoding: Person()) }
  try writer.write(encoding: 5)
  try writer.end()
  let text = writer.take()
  var reader = SPONElementReader()
  reader.append(text)
  reader.finish()
  for _ in 0..<3 {
    #expect(try SPONDecoder().decode(Person.self, from: #require(try reader.next())) == Person())
  }
  #expect(try SPONDecoder().decode(Int.self, from: #require(try reader.next())) == 5)
}
