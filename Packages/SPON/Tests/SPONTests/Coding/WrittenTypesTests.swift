import Foundation
import SPON
import Testing

/// A type at the top level of a file.
struct CodedBox<Content: Codable & Equatable>: Codable, Equatable { var content: Content }
struct CodedPair<First: Codable & Equatable, Second: Codable & Equatable>: Codable, Equatable {
  var first: First, second: Second
}
private struct HiddenPoint: Codable, Equatable { var x = 1 }

@Suite struct `Types are written` {
  struct Address: Codable, Equatable {
    var state = "TX", city = "Seabrook", addr1 = "25 Nasa Rd 1", zip = "77586"
    var addr2 = "Apt #123"
  }

  @Test func `as in the example of the original implementation, and read in any order`() throws {
    let text =
      "@obj:Address<state$=`TX` city$=`Seabrook` addr1$=`25 Nasa Rd 1` zip$=`77586` addr2$=`Apt #123`>"
    expectCoding(Address(), text)
    expectRead(
      "@obj:Address<addr2$=`Apt #123` zip$=`77586` addr1$=`25 Nasa Rd 1` state$=`TX` city$=`Seabrook`>",
      Address())
  }

  struct Plain: Codable, Equatable {
    var on = true, off = false, n = -7, f: Float = 1.5, d = 0.1, s = "a`b <c>, [d]"
    var b = Data([0xDE, 0xAD, 0xBE, 0xEF]), none = Data(), empty = ""
  }

  @Test func `with a designator for each plain type`() {
    expectCoding(
      Plain(),
      "@obj:Plain<on%=`true` off%=`false` n!=`-7` f^=`1.5` d&=`0.1` s$=`a&01;b <c>, [d]` b*=`3q2+7w==` none*=`` empty$=``>"
    )
  }

  struct Place: Codable, Equatable { var name = "Oslo" }
  struct Trip: Codable, Equatable {
    var from = Place(), to: Place?, tags = ["red", "dark blue", ""], nums = [4, 8, 15]
    var via = [Place(name: "A"), Place(name: "B")], grid = [[1], [], [2, 3]]
    var phones = ["home": "555-1"], none: [String: Int] = [:], empty: [Int] = []
    var mixed: [Double] = [1, 2.5], bits = [true, false], raw = [Data([0xDE, 0xAD])]
  }

  @Test func `nested as by the original implementation`() {
    expectCoding(
      Trip(),
      "@obj:Trip<from=@obj:Place<name$=`Oslo`> tags=@array[`red`, `dark blue`, ``] nums=@array[4!, 8!, 15!] via=@array[@obj:Place<name$=`A`>, @obj:Place<name$=`B`>] grid=@array[@array[1!], @array[], @array[2!, 3!]] phones=@obj:Dictionary<home$=`555-1`> none=@obj:Dictionary<> empty=@array[] mixed=@array[1.0&, 2.5&] bits=@array[true%, false%] raw=@array[3q0=*]>"
    )
  }

  enum Shape: Codable, Equatable {
    case circle(Double)
    case rectangle(width: Int, height: Int)
    case none
    case nested([Shape])
  }

  @Test func `as enums with associated values`() {
    expectCoding(Shape.circle(1.5), "@obj:Shape<circle=@obj<_0&=`1.5`>>")
    expectCoding(
      Shape.rectangle(width: 1, height: 2),
      "@obj:Shape<rectangle=@obj<width!=`1` height!=`2`>>")
    expectCoding(Shape.none, "@obj:Shape<none=@obj<>>")
    expectCoding(
      Shape.nested([.none, .circle(2)]),
      "@obj:Shape<nested=@obj<_0=@array[@obj:Shape<none=@obj<>>, @obj:Shape<circle=@obj<_0&=`2.0`>>]>>"
    )
  }

  enum Color: String, Codable, CodingKeyRepresentable { case red, blue }
  enum Level: Int, Codable { case low = 1, high = 8 }
  struct Enums: Codable, Equatable {
    var color = Color.blue, level = Level.high, all = [Color.red], map = [Color.red: Level.low]
  }

  @Test func `as enums with raw values`() {
    expectCoding(
      Enums(),
      "@obj:Enums<color$=`blue` level!=`8` all=@array[`red`] map=@obj:Dictionary<red!=`1`>>")
  }

  struct Foreign: Codable, Equatable {
    var url = URL(string: "https://example.org/?q=1&r=2")
    var id = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")
    var price = Decimal(string: "19.90"), at = Date(timeIntervalSince1970: 1_700_000_000.5)
  }

  @Test func `of Foundation`() {
    expectCoding(
      Foreign(),
      "@obj:Foreign<@spon!=`2` url$=`https://example.org/?q=1&r=2` id$=`00112233-4455-6677-8899-AABBCCDDEEFF` price#=`19.9` at+=`2023-11-14T22:13:20.5Z`>"
    )
  }

  struct Optionals: Codable, Equatable {
    var a: Int?, b: String? = "z", list: [Int?] = [1, nil], twice: Int?? = .some(.some(3))
    var boxes: [Place?] = [Place(), nil], map: [String: Int?] = ["k": nil]
  }

  @Test func `without nil properties, or with null in an array`() {
    expectCoding(
      Optionals(),
      "@obj:Optionals<@spon!=`2` b$=`z` list=@array[1!, ~] twice!=`3` boxes=@array[@obj:Place<name$=`Oslo`>, ~] map=@obj:Dictionary<k~=``>>"
    )
    expectCoding(Int?.none, "~")
    expectCoding(Int?.some(5), "5!")
  }

  @Test func `as single values`() {
    expectCoding(5, "5!")
    expectCoding("a", "`a`")
    expectCoding(true, "true%")
    expectCoding(1.5, "1.5&")
    expectCoding(Float(1.5), "1.5^")
    expectCoding([1, 2], "@array[1!, 2!]")
    expectCoding([String: Int](), "@obj:Dictionary<>")
    expectCoding(Data([1]), "AQ==*")
    expectCoding(Level.high, "8!")
  }

  @Test func `with the name of the type, without its module`() throws {
    struct Local: Codable, Equatable { var x = 1 }
    expectCoding(HiddenPoint(), "@obj:HiddenPoint<x!=`1`>")
    expectCoding(Local(), "@obj:Local<x!=`1`>")
    expectCoding(CodedBox(content: 1), "@obj:CodedBox(Int)<content!=`1`>")
    expectCoding(
      CodedBox(content: CodedPair(first: Place(), second: ["a"])),
      "@obj:CodedBox(CodedPair(Place, Array(String)))<content=@obj:CodedPair(Place, Array(String))<first=@obj:Place<name$=`Oslo`> second=@array[`a`]>>"
    )
    expectCoding(
      CodedBox(content: Int?.some(1)), "@obj:CodedBox(Optional(Int))<content!=`1`>")
  }

  @Test func `without names on request`() throws {
    var encoder = SPONEncoder()
    encoder.writesTypeNames = false
    expectCoding(
      CodedBox(content: ["a": Place()]), "@obj<content=@obj<a=@obj<name$=`Oslo`>>>",
      encoder: encoder)
  }

  struct Empty: Codable, Equatable {}
  struct Silent: Codable, Equatable {
    init() {}
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws {}
  }

  @Test func `as empty objects if they encode nothing`() {
    expectCoding(Empty(), "@obj:Empty<>")
    expectCoding(Silent(), "@obj:Silent<>")
    expectCoding([Silent()], "@array[@obj:Silent<>]")
    expectCoding(CodedBox(content: Silent()), "@obj:CodedBox(Silent)<content=@obj:Silent<>>")
  }

  struct Wrapper: Codable, Equatable {
    var place = Place()
    init() {}
    init(from decoder: any Decoder) throws {
      place = try decoder.singleValueContainer().decode(Place.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(place)
    }
  }

  @Test func `as the value that they wrap, with its name`() {
    expectCoding(Wrapper(), "@obj:Place<name$=`Oslo`>")
    expectCoding([Wrapper()], "@array[@obj:Place<name$=`Oslo`>]")
    expectCoding(["a": Wrapper()], "@obj:Dictionary<a=@obj:Place<name$=`Oslo`>>")
  }

  @Test(arguments: ["", "a b", "a=b", "@spon", "`", "<", "]", "é", "&01;", "k$", "\n", "a:b", "~"])
  func `with any text as the key of a dictionary`(_ key: String) throws {
    let text = try SPONEncoder().encode([key: 1])
    expectRead(text, [key: 1])
    expectRead(text, [key: SPONValue.integer(1)])
    let nested = try SPONEncoder().encode(["x": [key: [key]]])
    expectRead(nested, ["x": [key: [key]]])
  }

  @Test func `with integers and cases as keys of dictionaries, and pairs for other keys`() {
    expectCoding([7: "x"], "@obj:Dictionary<7$=`x`>")
    expectCoding([-7: [7: 1]], "@obj:Dictionary<-7=@obj:Dictionary<7!=`1`>>")
    expectCoding([Color.blue: 1], "@obj:Dictionary<blue!=`1`>")
    expectCoding([1.5: "x"], "@array[1.5&, `x`]")
    expectCoding(Set([3]), "@array[3!]")
  }

  @Test func `with keys that keep their scalars, even if they are equal strings`() throws {
    let keys = ["é", "e\u{301}", "\u{212B}", "\u{C5}", "\u{212A}", "K"]
    let maps = keys.map { [$0: 1] }
    let text = try SPONEncoder().encode(maps)
    for (key, value) in zip(keys, try SPONValue(parsing: text).array ?? []) {
      #expect(value.object?.keys.first?.utf8.elementsEqual(key.utf8) == true)
    }
  }
}
