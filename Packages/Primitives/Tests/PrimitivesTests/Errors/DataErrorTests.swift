import Primitives
import Testing

/// An error of its own, as a package's.
private struct Refusal: DataError {
  var kind = DataErrorKind.denied
  var message = "not today"
  var description: String { message }
}

@Suite struct `An error of the data layer` {
  @Test func `is caught by its kind, whichever type it has`() {
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

  @Test func `has no place and no cause unless its type gives one`() {
    #expect(Refusal().place == DataErrorPlace())
    #expect(Refusal().place.columns.isEmpty)
    #expect(Refusal().underlying == nil)
  }

  @Test(arguments: DataErrorKind.allCases)
  func `has a kind that is stored by its name`(_ kind: DataErrorKind) {
    #expect(DataErrorKind(rawValue: "\(kind)") == kind)
  }
}
