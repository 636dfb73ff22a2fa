import SPON
import Testing

@Suite struct `An encoder that is misused` {
  typealias Keys = SPONPath.Key

  private func expectInvalid(
    _ code: SPONError.Code = .invalidContainer, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping (any Encoder) throws -> Void
  ) {
    expectNotWritten(Encoding(body), code, sourceLocation: sourceLocation)
    expectNotWritten(["a": Encoding(body)], code, sourceLocation: sourceLocation)
    expectNotWritten([Encoding(body)], code, sourceLocation: sourceLocation)
  }

  @Test func `rejects a second single value`() {
    expectInvalid {
      var container = $0.singleValueContainer()
      try container.encode(1)
      try container.encode(2)
    }
    expectInvalid {
      var container = $0.singleValueContainer()
      try container.encode([1])
      try container.encode([Int]())
    }
  }

  @Test func `rejects a container of another kind`() {
    expectInvalid {
      _ = $0.unkeyedContainer()
      _ = $0.container(keyedBy: Keys.self)
    }
    expectInvalid {
      var keyed = $0.container(keyedBy: Keys.self)
      var list = $0.unkeyedContainer()
      try list.encode(1)
      try keyed.encode(1, forKey: .key("a"))
    }
    expectInvalid {
      _ = $0.container(keyedBy: Keys.self)
      var single = $0.singleValueContainer()
      try single.encode(1)
    }
    expectInvalid {
      var single = $0.singleValueContainer()
      try single.encodeNil()
      _ = $0.container(keyedBy: Keys.self)
    }
  }

  @Test func `rejects a container while another value is being encoded`() {
    expectInvalid { encoder in
      var outer = encoder.container(keyedBy: Keys.self)
      let copy = outer
      try outer.encode(
        Encoding { inner in
          _ = inner.container(keyedBy: Keys.self)
          var stolen = copy
          try stolen.encode(1, forKey: .key("b"))
        }, forKey: .key("a"))
    }
    expectInvalid { encoder in
      var outer = encoder.unkeyedContainer()
      let copy = outer
      try outer.encode(
        Encoding { _ in
          var stolen = copy
          _ = stolen.nestedUnkeyedContainer()
        })
    }
  }

  @Test func `rejects a container whose value is complete`() throws {
    var kept: KeyedEncodingContainer<Keys>?
    var keptList: (any UnkeyedEncodingContainer)?
    var keptEncoder: (any Encoder)?
    let error = #expect(throws: SPONError.self) {
      try SPONEncoder().encode([
        Encoding { kept = $0.container(keyedBy: Keys.self) },
        Encoding { _ in try kept?.encode(1, forKey: .key("a")) },
      ])
    }
    #expect(error?.code == .invalidContainer && error?.codingPath == [.index(1)])
    _ = try SPONEncoder().encode(
      Encoding {
        keptEncoder = $0
        keptList = $0.unkeyedContainer()
        try keptList?.encode(1)
      })
    #expect(throws: SPONError.self) { try keptList?.encode(2) }
    #expect(throws: SPONError.self) { try kept?.encode(2, forKey: .key("b")) }
    var single = keptEncoder?.singleValueContainer()
    #expect(throws: SPONError.self) { try single?.encode(1) }
    _ = keptEncoder?.container(keyedBy: Keys.self)
    _ = keptList?.superEncoder()
  }

  struct Refused: Error {}

  @Test func `continues without a value that throws`() {
    expectEncoding("@obj:Encoding<c!=`3` e=@array[4!]>") { encoder in
      var whole = encoder.container(keyedBy: Keys.self)
      try? whole.encode(Encoding { _ in throw Refused() }, forKey: .key("a"))
      try? whole.encode(
        Encoding {
          var inner = $0.container(keyedBy: Keys.self)
          try inner.encode(1, forKey: .key("x"))
          _ = inner.nestedUnkeyedContainer(forKey: .key("y"))
          try inner.encodeNil(forKey: .key("z"))
          throw Refused()
        }, forKey: .key("b"))
      try whole.encode(3, forKey: .key("c"))
      try? whole.encode(Encoding { _ in throw Refused() }, forKey: .key("d"))
      var list = whole.nestedUnkeyedContainer(forKey: .key("e"))
      try? list.encode(
        Encoding {
          _ = $0.unkeyedContainer(); throw Refused()
        })
      try list.encode(4)
      try? list.encode(Encoding { _ in throw Refused() })
      #expect(list.count == 1)
    }
  }

  @Test func `continues with another form of a value that throws`() {
    expectEncoding("@obj:Dictionary<a!=`1`>") { encoder in
      var single = encoder.singleValueContainer()
      try? single.encode(
        Encoding {
          _ = $0.unkeyedContainer(); throw Refused()
        })
      try single.encode(["a": 1])
    }
  }

  @Test func `removes everything that a value wrote before it threw`() {
    let long = String(repeating: "x", count: 700_000)
    expectEncoding("@obj:Encoding<a!=`1` c!=`2`>") { encoder in
      var whole = encoder.container(keyedBy: Keys.self)
      try whole.encode(1, forKey: .key("a"))
      try? whole.encode(
        Encoding {
          var list = $0.unkeyedContainer()
          for _ in 0..<3 { try list.encode(long) }
          throw Refused()
        }, forKey: .key("b"))
      try whole.encode(2, forKey: .key("c"))
    }
  }

  @Test func `rethrows the errors of types unchanged`() {
    #expect(throws: Refused.self) {
      try SPONEncoder().encode(["a": [Encoding { _ in throw Refused() }]])
    }
  }

  @Test func `adds the path to the errors of types`() {
    let invalid = Encoding { encoder in
      throw EncodingError.invalidValue(
        1, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "never one"))
    }
    let error = expectNotWritten(
      ["a": [CodedBox(content: 1)].map { _ in invalid }], .notRepresentable,
      [.key("a"), .index(0)])
    #expect(error?.message == "never one")
    #expect(error?.description == "never one, in a[0]")
    expectNotWritten(invalid, .notRepresentable, [])
    expectNotWritten(
      Encoding { encoder in
        var inner = encoder.container(keyedBy: Keys.self)
          .nestedContainerForTests("b")
        try inner.encode(invalid, forKey: .key("c"))
      }, .notRepresentable, [.key("b"), .key("c")])
  }

  final class Chain: Codable {
    var next: Chain?
    init(_ next: Chain?) { self.next = next }
  }

  struct Nest: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(Nest())
    }
  }

  @Test func `rejects unbounded nesting`() {
    let ring = Chain(nil)
    ring.next = ring
    defer { ring.next = nil }
    var encoder = SPONEncoder()
    encoder.limits.depth = 50
    let error = expectNotWritten(ring, .tooDeep, encoder: encoder)
    #expect(error?.codingPath == Array(repeating: .key("next"), count: 50))
    expectNotWritten(Nest(), .tooDeep, encoder: encoder)
    expectNotWritten(["a": Nest()], .tooDeep)
  }

  @Test func `writes and reads values at the maximum depth`() throws {
    var chain = Chain(nil)
    for _ in 1..<512 { chain = Chain(chain) }
    let text = try SPONEncoder().encode(chain)
    #expect(try SPONDecoder().decode(Chain.self, from: text).next?.next?.next != nil)
    expectNotWritten(Chain(chain), .tooDeep)
    expectMismatch("@array[\(text)]", as: [Chain].self, .tooDeep)
  }
}

extension KeyedEncodingContainer<SPONPath.Key> {
  func nestedContainerForTests(_ key: String) -> KeyedEncodingContainer<SPONPath.Key> {
    var copy = self
    return copy.nestedContainer(keyedBy: SPONPath.Key.self, forKey: .key(key))
  }
}
