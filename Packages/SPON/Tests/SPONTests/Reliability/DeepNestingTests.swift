import Foundation
import SPON
import Testing

/// Values that are nested as deeply as the limits allow, on a thread with a small stack, like
/// secondary threads on Apple platforms. A stack overflow terminates the process.
@Suite struct `Hostile texts with deep nesting` {
  /// Without optimization, functions use several times as much of the stack.
  #if DEBUG
    private static let stack = 64 << 20
  #else
    private static let stack = 512 << 10
  #endif
  private static let depth = 512

  /// Runs on a thread with a small stack.
  private func onSmallStack<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let thread = Thread { continuation.resume(with: Swift.Result { try body() }) }
      thread.stackSize = Self.stack
      thread.start()
    }
  }

  private static func nested(_ open: String, _ close: String, _ core: String = "") -> String {
    String(repeating: open, count: depth) + core + String(repeating: close, count: depth)
  }

  static let texts = [
    nested("@array[", "]"), nested("@array[1!, ", "]", "`x`"),
    String(nested("@obj<a=", ">", "@obj<>").dropFirst(7).dropLast()),
    String(nested("@obj<a=@array[", "]>").dropFirst(7 * depth).dropLast(depth)),
  ]

  @Test(arguments: texts)
  func `are read, written, compared and shown`(_ text: String) async throws {
    try await onSmallStack {
      guard let value = try? SPONValue(parsing: text) else { return }
      let other = try SPONValue(parsing: value.text(.canonical))
      #expect(value == other)
      #expect(value.hashValue == other.hashValue)
      #expect(try SPONValue(parsing: value.text(.prettyPrinted), rules: .lenient) == value)
      #expect(try SPONValue(json: value.json(), style: .typed) == value)
      #expect(try SPONValue(json: value.json(.plain), style: .plain).isNull == false)
      #expect(!value.description.isEmpty)
      #expect(!value.debugDescription.isEmpty)
      #expect(value.leaves.reduce(0) { count, _ in count + 1 } > 0)
      #expect(try SPONDecoder().decode(SPONValue.self, from: text) == value)
      #expect(try SPONEncoder().value(of: value) == value)
    }
  }

  @Test(arguments: texts)
  func `are read from a stream`(_ text: String) async throws {
    try await onSmallStack {
      guard let value = try? SPONValue(parsing: text) else { return }
      var events = SPONEventReader()
      events.append(text.utf8)
      events.finish()
      while try events.next() != nil {}
      #expect(events.isAtEnd)
      var elements = SPONElementReader(at: [])
      elements.append(text.utf8)
      elements.finish()
      #expect(try elements.next()?.value() == value)
    }
  }

  @Test func `are compared and changed`() async throws {
    try await onSmallStack {
      let path = SPONPath(Array(repeating: "a", count: Self.depth))
      var old = SPONValue.null
      old[path] = 1
      var new = old
      new[path] = 2
      let difference = old.difference(to: new)
      #expect(difference.changes == [.changed(path, from: 1, to: 2)])
      let changed = try old.applying(difference)
      #expect(changed == new)
      #expect(!difference.description.isEmpty)
      new[path] = .array([old, new])
      let changedAgain = try old.applying(old.difference(to: new))
      #expect(changedAgain == new)
    }
  }

  private final class Link: Codable {
    var next: Link?
  }

  private struct Tree: Codable, Equatable {
    var kids: [Tree]
  }

  private indirect enum Chain: Codable, Equatable {
    case end
    case link(Chain)
  }

  @Test func `are decoded as recursive types`() async throws {
    try await onSmallStack {
      let decoder = SPONDecoder()
      let links = String(repeating: "@obj<next=", count: 511) + "@obj<>"
      _ = try decoder.decode(Link.self, from: links + String(repeating: ">", count: 511))
      let kids = String(repeating: "@obj<kids=@array[", count: 256)
      _ = try decoder.decode(Tree.self, from: kids + String(repeating: "]>", count: 256))
      let chain = String(repeating: "@obj<link=@obj<_0=", count: 255) + "@obj<end=@obj<>>"
      _ = try decoder.decode(Chain.self, from: chain + String(repeating: ">>", count: 255))
    }
  }
}
