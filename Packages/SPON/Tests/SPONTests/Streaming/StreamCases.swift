import Foundation
import SPON

/// Well-formed and malformed documents, for division into chunks.
enum StreamCases {
  static let texts: [String] = [
    // Documents.
    "@obj<>", " \t\r\n@obj:Crate<>\n ", "@array[]", "@array:2[]", "  @array[ ]  ",
    "@obj:Box<depth!=`12` width!=`-7`>", "@obj:Note<body$=`a>b <c> [d] x=y k$ ,`>",
    "@obj:Note<body$=`run &01;ls&01; now` empty$=``>", "@obj:Note<body$=`Žluťoučký 🐎`>",
    "@obj:M<a&=`nan` b^=`inf` c&=`-inf` d&=`0.1` e^=`1e+30`>",
    "@obj:Blob<raw*=`3q2+7w==` none*=``>", "@obj:Trip<from=@obj:Place<name$=`Oslo`> id!=`3`>",
    "@obj:Lot<nums=@array[4!, 8!, 15!] tags=@array[`red`, `dark blue`, ``]>",
    "@obj<at?=`2023-11-14 22:13:20 +0000` n?=`9007199254740993` a?=`<null>`>",
    "@array[true%, 2.5^, 0.125&, 3q0=*, 7! , <null>?, some text?]",
    "@array[@array[1!], @array[@array[]], @obj:P<x!=`1`>]",
    "@obj< a!=`1`\n\tb = @array[ 1! ,2!\n,3!]\r\nc$ \t=\n `x`   >",
    "@obj<a!=`1` b=@obj<a!=`2` a!=`3`> a!=`4`>", "@obj<=@array[] $=`x` k$=@obj<>>",
    "@obj<é$=`e` 🐎=@array[`ž`, @obj:Žž<>]>",
    // Version 2.
    "@obj:A<@spon!=`2`>", "@obj:A< @spon! = `2`  a~=`` b#=`1.50` c+=`2024-02-29T12:00:00Z`>",
    "@obj<@spon!=`1` a#=`1`>", "@obj<@spon!=`2` a&u20;b$=`x&u1f40e;y&01;`>",
    "@array:2[~, 1.5#, 2024-02-29T12:00:00.5+01:00+, `a, b`?, `c`]",
    "@obj<@spon$=`2`>", "@obj<@spon!!=`2`>", "@obj<@sponge!=`2`>", "@obj<@spo!=`2` a!=`1`>",
    "12!", " `text` ", "`text`?", "18446744073709551615!", "<null>?", "~", "a&u41;b?",
    "@obj<a=@obj<@spon!=`2`>>", "@obj<@spon!=`002` k~=``>",
    "@array[@?]", "@array[@ar?]", "@array[@ob?, @arra?]", "@obj<a=@array[@?]>", "@array[@o?] ",
    // Rejected.
    "", " ", "@", "@ob", "@object<>", "@obj", "@obj:Name", "@obj<", "@obj<a", "@obj<a!", "@obj<a!=",
    "@obj<a!=`", "@obj<a!=`1", "@obj<a! ", "@obj<a = ", "@obj<a!=`1`", "@obj<a!=`1`b!=`2`>",
    "@obj<a!=`1` >x",
    "@obj<>@obj<>",
    "@array", "@array:", "@array:2", "@array:3[]", "@array:22[]", "@array:x[]", "@array[1!",
    "@array[1!,", "@array[1!,]", "@array[,1!]", "@array[1! 2!]", "@array[`a` `b`]", "@array[1]",
    "@array[`a`?]", "@array[1!]]", "@array[@array:2[]]", "@array[x`y`!]", "@array[ab, cd!]",
    "@obj<@spon!=`3`>", "@obj<@spon!=`x`>", "@obj<@spon!=`2", "@obj<@spon",
    "@obj<@spon!=`2` a@=`1`>",
    "@obj<name=`x`>", "@obj<a%=`yes`>", "@obj<a!=`1.5`>", "@obj<a!=`99999999999999999999`>",
    "@obj<a*=`abc`>", "@obj<a=12>", "@obj<a = x>", "@obj<a b!=`1`>", "@obj<a=@object b!=`1`>",
    "@obj<x=@array[1!, @obj<y=@array[2!, 3]>]>", "@obj<@spon!=`2` a$=`&ud800;`>",
    "@obj<k\u{0}ey$=`\u{0}`>", "@array[\n1!,\n  x!\n]", "@obj<a$=`\n\nž` b!=``>",
    // Damaged by the original implementation.
    "@obj<name=`x` a$=`y`>", "@obj<a=@objective b$=`y`>", "@obj<a=plain text here b!=`2`>",
    "@obj<a=two words>", "@obj<a=@array b=@obj<>>", "@obj<a=x y z", "@obj<a=x y=", "@obj<a=x =`1`>",
    "@array[word, `x`, other]",
  ]

  /// Bytes that are not valid text.
  static let bytes: [[UInt8]] = [
    Array("@obj<a$=`".utf8) + [0xC3, 0x28] + Array("`>".utf8),
    Array("@obj<".utf8) + [0xFF] + Array("$=`x`>".utf8),
    Array("@obj:".utf8) + [0xE2, 0x82] + Array("<>".utf8),
    Array("@array[`".utf8) + [0xF0, 0x9F, 0x90] + Array("`]".utf8),
    [0xEF, 0xBB, 0xBF] + Array("@obj<>".utf8),
    Array("@array[".utf8) + [0x80] + Array("?]".utf8),
  ]

  /// A database of tables with and without rows.
  static let store = """
    @obj:DataStore<tableLastInsertedInto$=`gears`
      tables=@array[
        @obj:Table<schema=@obj<name$=`gears` rows=@array[9!]> rows=@array[
          @obj<gid!=`1` label$=`a]b>`>, @obj<gid!=`2` sizes=@array[8!, 16!]>]>,
        @obj:Table<rows?=`<null>`>, @obj:Table<>,
        @obj:Table<rows=@array[@obj<žid!=`3`>, 4!, `five`]>]
      rows=@array[0!]>
    """

  static let all: [[UInt8]] = texts.map { Array($0.utf8) } + bytes

  /// Indicates whether to run all cases, which takes longer than a default run may take.
  static let isThorough = ProcessInfo.processInfo.environment["HOLT_CORPORA"] == "all"

  /// Returns the rules that are relevant for a document.
  static func rules(for document: [UInt8]) -> [SPONValue.Rules] {
    let text = String(decoding: document, as: UTF8.self)
    let hasUnquoted = ["=x", "=p", "=t", "=@ob", "=@ar", "= x", "=12", "name=", "[word"]
      .contains { text.contains($0) }
    return [text.contains("a!=`1`") ? .strict : .standard] + (hasUnquoted ? [.lenient] : [])
  }
}

/// The result of reading: values, or an error.
enum Outcome<Value: Hashable & Sendable>: Hashable, Sendable {
  case read(Value)
  case failed(SPONError)

  init(_ body: () throws(SPONError) -> Value) {
    do throws(SPONError) { self = .read(try body()) } catch { self = .failed(error) }
  }

  /// Returns whether this is an error at a position, regardless of its path.
  func isFailure(at position: SPONError.Position?, code: SPONError.Code) -> Bool {
    guard case .failed(let error) = self else { return false }
    return error.position == position && error.code == code
  }
}

extension Outcome where Value == SPONValue {
  /// Reads the whole text in one call.
  static func whole(
    _ bytes: [UInt8], _ rules: SPONValue.Rules = .standard, _ limits: SPONValue.Limits = .init()
  ) -> Self {
    Outcome { () throws(SPONError) in
      try SPONValue(parsing: bytes, rules: rules, limits: limits)
    }
  }

  /// Reads the events of chunks, and assembles the values.
  static func events(
    _ chunks: [ArraySlice<UInt8>], _ rules: SPONValue.Rules = .standard,
    _ limits: SPONValue.Limits = .init()
  ) -> Self {
    Outcome { () throws(SPONError) in
      var reader = SPONEventReader(rules: rules, limits: limits)
      var tree = Tree()
      for chunk in chunks {
        reader.append(chunk)
        while let event = try reader.next() { tree.take(event) }
      }
      reader.finish()
      while let event = try reader.next() { tree.take(event) }
      return tree.root ?? .null
    }
  }

  /// Reads the document as the single element of a reader.
  static func element(
    _ chunks: [ArraySlice<UInt8>], _ rules: SPONValue.Rules = .standard,
    _ limits: SPONValue.Limits = .init()
  ) -> Self {
    Outcome { () throws(SPONError) in
      var reader = SPONElementReader(at: [], rules: rules, limits: limits)
      var value: SPONValue?
      for chunk in chunks {
        reader.append(chunk)
        while let element = try reader.next() { value = try element.value() }
      }
      reader.finish()
      while let element = try reader.next() { value = try element.value() }
      return value ?? .null
    }
  }
}

/// Assembles a tree of values from events.
struct Tree {
  private(set) var root: SPONValue?
  private var open: [(key: SPONPath.Key?, value: SPONValue)] = []

  mutating func take(_ event: SPONEventReader.Event) {
    switch event.kind {
    case .beginObject(let typeName):
      open.append((event.key, .object(SPONObject(typeName: typeName))))
    case .beginArray: open.append((event.key, .array([])))
    case .scalar(let value): put(value, event.key)
    case .endObject, .endArray:
      guard let last = open.popLast() else { return }
      put(last.value, last.key)
    }
  }

  private mutating func put(_ value: SPONValue, _ key: SPONPath.Key?) {
    guard let last = open.indices.last else {
      root = value
      return
    }
    switch (open[last].value, key) {
    case (.object(var object), .key(let key)):
      object[key] = value
      open[last].value = .object(object)
    case (.array(var elements), .index(let index)) where index == elements.count:
      elements.append(value)
      open[last].value = .array(elements)
    default: open[last].value = .string("the event \(String(describing: key)) does not fit")
    }
  }
}

extension [UInt8] {
  /// Returns the bytes in two parts.
  func cut(at place: Int) -> [ArraySlice<UInt8>] { [self[..<place], self[place...]] }

  /// Returns the bytes one by one.
  var single: [ArraySlice<UInt8>] { indices.map { self[$0...$0] } }

  /// Returns the bytes in parts of random lengths.
  func cut(_ numbers: inout SeededGenerator, longest: Int = 12) -> [ArraySlice<UInt8>] {
    var chunks: [ArraySlice<UInt8>] = []
    var at = 0
    while at < count {
      let end = Swift.min(count, at + Int.random(in: 0...longest, using: &numbers))
      chunks.append(self[at..<end])
      at = end
    }
    return chunks
  }
}

/// Random values of all kinds.
struct StreamValues {
  var numbers: SeededGenerator

  mutating func value(depth: Int) -> SPONValue {
    switch Int.random(in: 0..<(depth > 0 ? 16 : 11), using: &numbers) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &numbers))
    case 2: return .integer(Int64.random(in: .min ... .max, using: &numbers))
    case 3: return .unsigned(UInt64.random(in: .min ... .max, using: &numbers))
    case 4: return .float(Float.random(in: -1e6...1e6, using: &numbers))
    case 5: return .double(Double.random(in: -1e9...1e9, using: &numbers))
    case 6: return SPONDecimal("12.5e-3").map { .decimal($0) } ?? .null
    case 7, 8: return .string(text())
    case 9: return .opaque(text())
    case 10: return .bytes((0..<Int.random(in: 0...9, using: &numbers)).map { UInt8($0) })
    case 11, 12:
      return .array(
        (0..<Int.random(in: 0...4, using: &numbers)).map { _ in value(depth: depth - 1) })
    default: return object(depth: depth)
    }
  }

  mutating func object(depth: Int) -> SPONValue {
    var object = SPONObject(typeName: Bool.random(using: &numbers) ? text() : "")
    for _ in 0..<Int.random(in: 0...4, using: &numbers) {
      object[text()] = value(depth: depth - 1)
    }
    return .object(object)
  }

  mutating func text() -> String {
    let parts = [
      "a", "key", "`", "&", "&01;", "&u41;", " ", "<", ">", "[", "]", ",", "=", "@obj<",
      "@spon", "ž", "🐎", "\n", "!", "?", "0", "e\u{301}",
    ]
    return (0..<Int.random(in: 0...5, using: &numbers)).map { _ in
      parts[Int.random(in: 0..<parts.count, using: &numbers)]
    }.joined()
  }
}
