import Observe
import SQLiteCore
import Testing

@testable import RouterPostgreSQL

@Suite struct `The report of a commit` {
  struct Case: CustomTestStringConvertible, Sendable {
    let snapshot: String
    let transaction: UInt32
    let isVisible: Bool
    var testDescription: String { "\(snapshot) \(transaction)" }
  }

  @Test(arguments: [
    Case(snapshot: "10:10:", transaction: 9, isVisible: true),
    Case(snapshot: "10:10:", transaction: 10, isVisible: false),
    Case(snapshot: "10:20:10,14", transaction: 9, isVisible: true),
    Case(snapshot: "10:20:10,14", transaction: 10, isVisible: false),
    Case(snapshot: "10:20:10,14", transaction: 13, isVisible: true),
    Case(snapshot: "10:20:10,14", transaction: 14, isVisible: false),
    Case(snapshot: "10:20:10,14", transaction: 19, isVisible: true),
    Case(snapshot: "10:20:10,14", transaction: 20, isVisible: false),
    Case(snapshot: "10:20:10,14", transaction: 100, isVisible: false),
    // After four billion transactions. The server reports the lower half of their numbers.
    Case(snapshot: "4294967290:4294967300:4294967299", transaction: 4_294_967_289, isVisible: true),
    Case(snapshot: "4294967290:4294967300:4294967299", transaction: 4_294_967_295, isVisible: true),
    Case(snapshot: "4294967290:4294967300:4294967299", transaction: 2, isVisible: true),
    Case(snapshot: "4294967290:4294967300:4294967299", transaction: 3, isVisible: false),
    Case(snapshot: "4294967290:4294967300:4294967299", transaction: 4, isVisible: false),
  ])
  func `is visible in a snapshot if its transaction has ended`(_ test: Case) throws {
    let snapshot = try #require(TransactionSnapshot(test.snapshot))
    #expect(snapshot.shows(test.transaction) == test.isVisible)
  }

  @Test(arguments: ["", "1:2", "a:2:", "1:b:", "1:2:c", "1:2:3:4", "-1:2:"])
  func `is not compared with a snapshot of another format`(_ text: String) {
    #expect(TransactionSnapshot(text) == nil)
  }

  @Test(arguments: [
    (#"["I","public","todo"]"#, "public.todo: inserted rows"),
    (#"["U", "public", "todo"]"#, "public.todo: changed"),
    (#"["D","a b","Other's \"x\""]"#, #"a b.Other's "x": deleted rows"#),
    (#"["T","public","todo"]"#, "public.todo: deleted rows"),
    ("", "anything may have changed"), ("[]", "anything may have changed"),
    (#"["X","public","todo"]"#, "anything may have changed"), ("{", "anything may have changed"),
  ])
  func `by a notification has the table, or else everything`(
    _ payload: String, _ description: String
  ) {
    #expect("\(ChangeSet(notification: payload))" == description)
  }
}
