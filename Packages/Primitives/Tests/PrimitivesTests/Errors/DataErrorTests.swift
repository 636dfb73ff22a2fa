import Primitives
import Testing

/// A custom error type, like a package's.
private struct Refusal: DataError {
  var kind = DataErrorKind.denied
  var message = "not today"
  var description: String { message }
}

@Suite struct `An error of the data layer` {
  @Test func `is caught by its kind, regardless of its type`() {
    var caught: [DataErrorKind] = []
    for kind in DataErrorKind.allCases {
      do {
        throw Refusal(kind: kind)
      } catch let error as any DataError where error.kind.isConstraintViolation {
        caught.append(error.kind)
      } catch {}
    }
    #expect(
      caught == [
        .uniqueViolation, .foreignKeyViolation, .notNullViolation, .checkViolation,
        .constraintViolation,
      ])
  }

  @Test func `has no place and no cause unless its type provides them`() {
    #expect(Refusal().place == DataErrorPlace())
    #expect(Refusal().place.columns.isEmpty)
    #expect(Refusal().underlying == nil)
  }

  @Test(arguments: DataErrorKind.allCases)
  func `has a kind that is encoded by name`(_ kind: DataErrorKind) {
    #expect(DataErrorKind(rawValue: "\(kind)") == kind)
  }
}
