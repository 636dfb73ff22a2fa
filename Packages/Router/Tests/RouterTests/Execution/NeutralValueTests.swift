import Foundation
import Router
import SQLiteCore
import Testing

@Suite struct `Values of any engine` {
  /// A value, and the result of decoding it.
  struct Case: CustomTestStringConvertible, Sendable {
    let value: DataValue
    let name: String
    let check: @Sendable (DatabaseRoute.Response) throws -> Bool
    var testDescription: String { "\(value) as \(name)" }

    init<Value: Decodable & Equatable & Sendable>(_ value: DataValue, _ expected: Value) {
      self.value = value
      name = "\(Value.self)"
      check = { try $0.values(One<Value>.self).map(\.a) == [expected] }
    }
  }

  /// A row with one column.
  struct One<Value: Decodable & Sendable>: Decodable, Sendable { let a: Value }

  struct Point: Codable, Hashable, Sendable {
    var x: Int
    var tags: [String]
  }

  static let uuid = UUID(
    uuid: (0x7d, 0x44, 0xba, 0x0b, 0x4f, 0x57, 0x4a, 0x36, 0x8f, 0x0e, 1, 2, 3, 4, 5, 6))
  static let lowercase = "7d44ba0b-4f57-4a36-8f0e-010203040506"
  static let midnight = Date(timeIntervalSince1970: 1_795_219_200)
  static let instant = midnight.addingTimeInterval(52_649.125)
  static let tenth = Decimal(1) / 10
  static let json = #"{"x": 1, "tags": ["a", "b"]}"#

  static let cases: [Case] = [
    Case(nil, Int?.none), Case(true, true), Case(false, false), Case(true, Bool?.some(true)),
    Case(7, 7), Case(7, UInt8(7)), Case(7, 7.0), Case(.integer(.min), Int64.min),
    Case(0.1, 0.1), Case("Milk", "Milk"), Case(.blob([0, 255]), [UInt8]([0, 255])),
    Case(.blob([0, 255]), Data([0, 255])),
    Case(.decimal("-12.50"), Decimal(sign: .minus, exponent: -2, significand: 1250)),
    Case(.decimal("-12.50"), "-12.50"),
    Case(
      .decimal("12345678901234567890123456789012345678"),
      Decimal(string: "12345678901234567890123456789012345678")),
    Case(.uuid(lowercase), uuid), Case(.uuid(lowercase.uppercased()), uuid),
    Case(.uuid(lowercase), lowercase),
    Case(.timestampWithZone("2026-11-21 14:37:29.125Z"), instant),
    Case(.timestampWithZone("2026-11-21T16:37:29.125+02:00"), instant),
    Case(.timestamp("2026-11-21 14:37:29.125"), instant), Case(.date("2026-11-21"), midnight),
    Case(.date("2026-11-21"), "2026-11-21"), Case(.time("14:37:29"), "14:37:29"),
    Case(.json(json), Point(x: 1, tags: ["a", "b"])), Case(.json(json), json),
    Case(.array([1, 2]), [1, 2]), Case(.array([1, nil]), [Int?.some(1), nil]),
    Case(.array([true, false]), [true, false]), Case(.array(["a\"\n", "é"]), ["a\"\n", "é"]),
    Case(.array([0.5, 1]), [0.5, 1]), Case(.array([.uuid(lowercase)]), [uuid]),
    Case(.array([.decimal("0.10"), .decimal("-3")]), [tenth, -3]),
    Case(.array([.blob([1, 2])]), [Data([1, 2])]), Case(.array([]), [Int]()),
    Case(.array([.array([1]), .array([])]), [[1], []]),
    Case(.array([.json(json)]), [Point(x: 1, tags: ["a", "b"])]),
  ]

  @Test(arguments: cases)
  func `are decoded as Swift types`(_ expected: Case) throws {
    #expect(try expected.check(DatabaseRoute.Response(columns: ["a"], rows: [[expected.value]])))
  }

  /// A value, and the error of decoding it.
  struct Mismatch: CustomTestStringConvertible, Sendable {
    let value: DataValue
    let code: SQLiteError.Code
    let name: String
    let read: @Sendable (DatabaseRoute.Response) throws -> Void
    var testDescription: String { "\(value) as \(name)" }

    init<Value: Decodable & Sendable>(
      _ value: DataValue, _ type: Value.Type, _ code: SQLiteError.Code
    ) {
      self.value = value
      self.code = code
      name = "\(type)"
      read = { _ = try $0.values(One<Value>.self) }
    }
  }

  static let mismatches: [Mismatch] = [
    .init(nil, Int.self, .unexpectedNull), .init(true, String.self, .columnTypeMismatch),
    .init(300, UInt8.self, .valueOutOfRange),
    .init(.decimal("1.5"), Double.self, .columnTypeMismatch),
    .init(.decimal("1.5"), Int.self, .columnTypeMismatch),
    .init(.decimal("NaN"), Decimal.self, .invalidText),
    .init(.decimal(String(repeating: "9", count: 60)), Decimal.self, .valueOutOfRange),
    .init(.uuid("7d44"), UUID.self, .invalidText),
    .init(.date("2026-02-30"), Date.self, .invalidText),
    .init(.timestampWithZone("infinity"), Date.self, .invalidText),
    .init(.time("14:37:29"), Date.self, .invalidText),
    .init(.json("{"), Point.self, .invalidJSON), .init("a", [UInt8].self, .columnTypeMismatch),
    .init(.array([.json("{")]), [Point].self, .invalidJSON),
  ]

  @Test(arguments: mismatches)
  func `that do not match the type are an error that names the column`(_ mismatch: Mismatch) throws
  {
    let response = DatabaseRoute.Response(columns: ["a"], rows: [[mismatch.value]])
    let error = try #require(throws: SQLiteError.self) { try mismatch.read(response) }
    #expect(error.code == mismatch.code)
    #expect(error.column?.name == "a")
  }

  @Test func `can be returned by a closure, and by overrides`() async throws {
    struct Item: Codable, Hashable, Sendable {
      var id: UUID
      var price: Decimal
      var sold: Bool
      var at: Date?
      var tags: [String]
    }
    let response = DatabaseRoute.Response(
      columns: ["id", "price", "sold", "at", "tags"],
      rows: [
        [
          .uuid(Self.lowercase), .decimal("2.50"), true,
          .timestampWithZone("2026-11-21 14:37:29.125Z"), .array(["a", "b"]),
        ]
      ])
    let item = Item(
      id: Self.uuid, price: Decimal(5) / 2, sold: true, at: Self.instant, tags: ["a", "b"])
    let route = DatabaseRoute.fetch(from: "item")
    let executor = ClosureRouteExecutor { _ in response }
    #expect(try await executor.value(Item.self, for: route) == item)
    let recorder = RouteRecording.RecordingExecutor(executor)
    #expect(try await recorder.value(Item.self, for: route) == item)
    let replay = RouteRecording.ReplayingExecutor(
      try RouteRecording(json: recorder.recording.json()))
    #expect(try await replay.value(Item.self, for: route) == item)
    var router = GeneralRouter(try database())
    router.override(.method(.fetch, with: .response(response)))
    #expect(try await router.run(route) == response)
    let answered: Item = try await router(route)
    #expect(answered == item)
  }

  @Test(arguments: [#"{"uuid":"x"}"#, #"{"bool":true}"#, #"{"array":[]}"#])
  func `can't be the operand of a route`(_ operand: String) throws {
    func route(_ operand: String) throws -> DatabaseRoute {
      let json = """
        {"method":"fetch","table":"t","filter":{"comparison":{"_0":{
          "column":{"name":"a","path":[]},"operand":{"value":\(operand)},"operator":"eq"}}}}
        """
      return try JSONDecoder().decode(DatabaseRoute.self, from: Data(json.utf8))
    }
    #expect(
      try route(#"{"text":"x"}"#) == .fetch(from: "t", filteredBy: Column("a").equals("x")))
    #expect(throws: DecodingError.self) { try route(operand) }
  }
}
