import Foundation
import Router
import SQLiteCore
import Testing

@Suite struct `A recording of routes` {
  struct Odd: Error, CustomStringConvertible { var description: String { "something odd" } }

  /// One call of each kind.
  static func recorder() async throws -> RouteRecording.RecordingExecutor<SQLiteRouteExecutor> {
    var executor = try await todos("CREATE TABLE v (id INTEGER PRIMARY KEY, v);")
    executor.policies = [{ if $0.id == "odd" { throw Odd() } }]
    let recorder = RouteRecording.RecordingExecutor(executor)
    _ = try await recorder.values(Todo.self, for: .fetch(from: "todos", order: .ascending("id")))
    _ = try await recorder.value(Todo.self, for: .insert(Todo(name: "Jam"), into: "todos"))
    try await recorder.perform(.delete(id: 4, from: "todos"))
    _ = try? await recorder.run(.fetch(from: "nix"))
    _ = try? await recorder.run(.insert(Todo.milk, into: "todos"))
    _ = try? await recorder.run(.fetch(from: "todos", routeId: "odd"))
    let values: [SQLiteValue] = [
      .integer(.min), .integer(.max), 0.1, .real(.infinity), .real(-.infinity), "é", "e\u{301}",
      "\"\\\n\u{1}/", .blob([]), .blob([0, 255]), nil,
    ]
    _ = try await recorder.run([
      .insert(values.map { ["v": $0] as Record }, into: "v"), .fetch(from: "v"),
    ])
    return recorder
  }

  @Test func `contains each call with its outcome, in order`() async throws {
    let calls = try await Self.recorder().recording.calls
    #expect(
      calls.map(\.description) == [
        "'fetch todos by id'", "'insert todos set id, name, completedOn'",
        "'delete todos where id eq ?'", "'fetch nix'", "'insert todos set id, name, completedOn'",
        "'fetch todos [odd]'", "['insert v set v × 11', 'fetch v'] together",
      ])
    guard case .responses(let responses) = calls[0].outcome else {
      Issue.record("no response")
      return
    }
    #expect(responses.map(\.columns) == [["id", "name", "completedOn"]])
    #expect(responses.map(\.rows) == [[[1, "Milk", nil], [2, "Bread", 5], [3, "tea", 3]]])
    guard case .failure(.router(let missing)) = calls[3].outcome,
      case .failure(.router(let taken)) = calls[4].outcome,
      case .failure(.other(let odd)) = calls[5].outcome
    else {
      Issue.record("no failures")
      return
    }
    #expect(missing.code == .unknownTable)
    #expect(taken.constraint == .init(.primaryKey, columns: ["id"]))
    #expect(odd == RouteRecording.RecordedError(type: "Odd", description: "something odd"))
  }

  @Test func `is unchanged when read from its file, with each value and error`() async throws {
    let recording = try await Self.recorder().recording
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("holt-recording-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try recording.write(to: file)
    let read = try RouteRecording(contentsOf: file)
    #expect(read == recording)
    #expect(try read.json() == recording.json())
    // Any encoder and decoder of Codable values can be used.
    let data = try JSONEncoder().encode(recording)
    #expect(try JSONDecoder().decode(RouteRecording.self, from: data) == recording)
  }

  @Test func `is human-readable: a line for each route and each row`() throws {
    let recording = RouteRecording(calls: [
      .init(
        .fetchOne(id: 1, from: "todos"),
        DatabaseRoute.Response(columns: ["id", "name"], rows: [[1, "a/b"], [2, nil]])),
      .init(.delete(id: 1, from: "todos"), DatabaseRoute.Response(affected: 1)),
      .init(batch: [.count(from: "todos"), .count(from: "tag")], [.init(), .init()]),
      .init(.fetch(from: "nix"), failure: Odd()),
    ])
    #expect(
      try recording.json() == #"""
        {
          "version": 2,
          "calls": [
            {
              "route": {"filter":{"comparison":{"_0":{"column":{"name":"id","path":[]},"operand":{"value":{"integer":1}},"operator":"eq"}}},"method":"fetchOne","table":"todos"},
              "response": {
                "columns": ["id","name"],
                "rows": [
                  [{"integer":1},{"text":"a/b"}],
                  [{"integer":2},null]
                ]
              }
            },
            {
              "route": {"filter":{"comparison":{"_0":{"column":{"name":"id","path":[]},"operand":{"value":{"integer":1}},"operator":"eq"}}},"method":"delete","returning":"minimal","table":"todos"},
              "response": {
                "affected": 1
              }
            },
            {
              "routes": [
                {"method":"count","table":"todos"},
                {"method":"count","table":"tag"}
              ],
              "responses": [
                {},
                {}
              ]
            },
            {
              "route": {"method":"fetch","table":"nix"},
              "failure": {"other":{"description":"something odd","type":"Odd"}}
            }
          ]
        }

        """#)
    #expect(try RouteRecording(json: recording.json()) == recording)
    #expect(try RouteRecording(json: RouteRecording().json()) == RouteRecording())
  }

  @Test func `is written with the names of functions and errors`() throws {
    let totals = DatabaseRoute.fetch(from: "t").aggregating(.sum("x", as: "total"))
    let recording = RouteRecording(calls: [
      .init(
        totals,
        failure: RouterError(
          code: .unknownColumn, message: "t has no column x", table: "t", column: "x",
          routeId: "totals", route: "fetch t")),
      .init(totals, failure: RouterError(code: .notFound, message: "expected one row, got none")),
      .init(
        totals, failure: RouteRecording.RecordedError(type: "Odd", description: "something odd")),
    ])
    let route =
      #"{"aggregates":[{"column":{"name":"x","path":[]},"function":"sum","name":"total"}],"method":"fetch","table":"t"}"#
    #expect(
      try recording.json() == #"""
        {
          "version": 2,
          "calls": [
            {
              "route": \#(route),
              "failure": {"router":{"code":"unknownColumn","column":"x","message":"t has no column x","route":"fetch t","routeId":"totals","table":"t"}}
            },
            {
              "route": \#(route),
              "failure": {"router":{"code":"notFound","message":"expected one row, got none"}}
            },
            {
              "route": \#(route),
              "failure": {"other":{"description":"something odd","type":"Odd"}}
            }
          ]
        }

        """#)
    #expect(try RouteRecording(json: recording.json()) == recording)
  }

  @Test(arguments: [
    #"{"version": 3, "calls": []}"#, #"{"calls": []}"#, "[]", "",
    #"{"version": 1, "calls": [{"route": {"method": "fetch", "table": "t"}}]}"#,
    #"{"version": 1, "calls": [{"routes": [{"method": "fetch", "table": "t"}], "responses": []}]}"#,
    #"{"version": 1, "calls": [{"route": {"method": "fetch", "table": "t"}, "failure": {}}]}"#,
  ])
  func `is not read from another format, or a later version`(_ json: String) {
    #expect(throws: DecodingError.self) { try RouteRecording(json: json) }
  }

  @Test func `of a value of each type is unchanged when read`() throws {
    let row: [DataValue] = [
      nil, true, false, .integer(.min), 0.5, .decimal("-12.500"), "a", .blob([0, 255]),
      .uuid("7d44ba0b-4f57-4a36-8f0e-9d1a2d9d5b0c"),
      .timestampWithZone("2026-11-21 14:37:29.125+02:00"), .timestamp("2026-11-21 14:37:29"),
      .date("2026-11-21"), .time("14:37:29"), .json(#"{"a": 1}"#),
      .array([1, nil, .array([.decimal("0.10"), true])]),
    ]
    let recording = RouteRecording(calls: [
      .init(
        .fetch(from: "t"),
        DatabaseRoute.Response(columns: row.indices.map { "c\($0)" }, rows: [row])),
      .init(
        .fetch(from: "t"),
        failure: RouterError.violation(
          of: .init(.check, columns: ["a"], name: "positive"), in: "t")),
    ])
    let json = try recording.json()
    #expect(json.contains(#"{"bool":true},{"bool":false}"#))
    #expect(json.contains(#"{"array":[{"integer":1},null,{"array":[{"decimal":"0.10"},"#))
    #expect(try RouteRecording(json: json) == recording)
  }

  @Test func `of an earlier version can be read`() throws {
    let json = #"""
      {"version": 1, "calls": [{
        "route": {"method": "fetch", "table": "t"},
        "response": {"columns": ["a"], "rows": [
          [{"integer": 1}], [{"real": "0.5"}], [{"text": "x"}], [{"blob": "00ff"}], [null]
        ]}
      }]}
      """#
    let rows: [[DataValue]] = [[1], [0.5], ["x"], [.blob([0, 255])], [nil]]
    #expect(
      try RouteRecording(json: json)
        == RouteRecording(calls: [.init(.fetch(from: "t"), .init(columns: ["a"], rows: rows))]))
  }

  @Test(arguments: [
    #"{"uuid": 1}"#, #"{"real": "x"}"#, #"{"blob": "0"}"#, #"{"blob": "0g"}"#, "{}", "7",
    #"{"array": {}}"#, #"{"text": "a", "json": "a"}"#, #"{"instant": "a"}"#,
  ])
  func `of a value of an unknown type is not read`(_ value: String) {
    let json =
      #"{"version": 2, "calls": [{"route": {"method": "fetch", "table": "t"}, "#
      + #""response": {"columns": ["a"], "rows": [[\#(value)]]}}]}"#
    #expect(throws: DecodingError.self) { try RouteRecording(json: json) }
  }

  @Test func `does not change the behavior of other executors`() async throws {
    let recorder = RouteRecording.RecordingExecutor(
      ClosureRouteExecutor { _ in DatabaseRoute.Response(affected: 3) })
    #expect(try await recorder.affectedCount(of: .delete(from: "todos", filteredBy: .all)) == 3)
    #expect(await code { _ = try await recorder.run([]) } == .unsupported)
    #expect(recorder.recording.calls.count == 2)
    recorder.reset()
    #expect(recorder.recording.calls.isEmpty)
  }

  @Test func `contains calls in the order of their start, except cancelled ones`() async throws {
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let (gate, open) = AsyncStream<Void>.makeStream()
    let recorder = RouteRecording.RecordingExecutor(
      ClosureRouteExecutor { route in
        switch route.id {
        case "slow":
          begin.finish()
          for await _ in gate {}
        case "gone": throw CancellationError()
        default: open.finish()
        }
        return DatabaseRoute.Response()
      })
    let slow = Task { try await recorder.perform(.fetch(from: "todos", routeId: "slow")) }
    for await _ in begun {}
    await #expect(throws: CancellationError.self) {
      try await recorder.perform(.fetch(from: "todos", routeId: "gone"))
    }
    #expect(recorder.recording.calls.isEmpty)
    try await recorder.perform(.fetch(from: "todos", routeId: "fast"))
    try await slow.value
    #expect(recorder.recording.calls.flatMap(\.routes).map(\.id) == ["slow", "fast"])
  }

  @Test func `does not contain calls that began before a reset`() async throws {
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let (gate, open) = AsyncStream<Void>.makeStream()
    let recorder = RouteRecording.RecordingExecutor(
      ClosureRouteExecutor { _ in
        begin.finish()
        for await _ in gate {}
        return DatabaseRoute.Response()
      })
    let slow = Task { try await recorder.perform(.fetch(from: "todos")) }
    for await _ in begun {}
    recorder.reset()
    open.finish()
    try await slow.value
    #expect(recorder.recording.calls.isEmpty)
  }
}
