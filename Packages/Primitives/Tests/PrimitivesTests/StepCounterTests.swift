import Primitives
import Testing

@Suite(.enabled(if: StepCounter.isEnabled)) struct `A counter of steps` {
  @Test func `counts only the steps of its body`() {
    let (outer, inner) = (StepCounter(), StepCounter())
    StepCounter.step()
    let result = outer.run {
      StepCounter.step()
      inner.run { for _ in 0..<3 { StepCounter.step() } }
      StepCounter.step()
      return "result"
    }
    StepCounter.step()
    #expect(result == "result")
    #expect(outer.count == 2)
    #expect(inner.count == 3)
  }
}
