import Foundation
import Testing

@testable import SQLiteCore

@Suite(.timeLimit(.minutes(10))) struct `An interrupter` {
  /// A use of a connection that can be cancelled.
  struct Use: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let begin: @Sendable (Interrupter) -> Void
    let cancel: @Sendable (Interrupter) -> Void
    let end: @Sendable (Interrupter) -> Void
  }

  static let uses = [
    Use(
      testDescription: "an access", begin: { $0.beginAccess(1) }, cancel: { $0.cancel(1) },
      end: { $0.endAccess() }),
    Use(
      testDescription: "a part of an access", begin: { $0.beginScope(1) },
      cancel: { $0.cancelScope(1) }, end: { $0.endScope() }),
  ]

  @Test(arguments: uses)
  func `waits for the cancelling thread when a cancelled use ends`(_ use: Use) async {
    let (marked, isToInterrupt, ending, ended) = (Gate(), Gate(), Gate(), Gate())
    let interrupter = Interrupter(address: 0) {
      marked.open()
      isToInterrupt.wait()
    }
    use.begin(interrupter)
    await onThreads(3) { thread in
      switch thread {
      case 0: use.cancel(interrupter)
      case 1:
        marked.wait()
        ending.open()
        use.end(interrupter)
        ended.open()
      default:
        ending.wait()
        // An end that does not wait would return within this time.
        #expect(!ended.wait(seconds: 0.2), "the interrupt would stop the next access")
        isToInterrupt.open()
        ended.wait()
      }
    }
    #expect(!interrupter.isCancelled)
  }

  @Test func `does not interrupt a use that has ended`() {
    let count = Shared(0)
    let interrupter = Interrupter(address: 0) { count.update { $0 += 1 } }
    interrupter.beginAccess(1)
    interrupter.cancel(2)
    interrupter.endAccess()
    interrupter.cancel(1)
    #expect(count.value == 0)
  }
}
