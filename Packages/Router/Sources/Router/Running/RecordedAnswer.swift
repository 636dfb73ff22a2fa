/// What a recording says to a call.
enum RecordedAnswer {
  case responses([DatabaseRoute.Response])
  case failure(any Error)
  /// Nothing, and why.
  case none(String)
}

extension RouteRecording.Call: CustomStringConvertible {
  /// The routes in short, without their values.
  public var description: String {
    let routes = routes.map { "'\($0)'" }.joined(separator: ", ")
    return isTogether ? "[\(routes)] together" : routes
  }
}

extension RouteRecording.Call {
  /// What this call came to, for a call of equal routes that may demand other numbers of rows, and may or may not
  /// ask for what is written.
  func answer(to asked: [DatabaseRoute]) -> RecordedAnswer {
    switch outcome {
    case .failure(let failure): answer(to: asked, failure)
    case .responses(let responses): answer(to: asked, responses)
    }
  }

  private func answer(
    to asked: [DatabaseRoute], _ responses: [DatabaseRoute.Response]
  ) -> RecordedAnswer {
    guard responses.count == asked.count, routes.count == asked.count else {
      return .none("the recorded call has \(responses.count) responses to \(asked.count) routes")
    }
    var answers: [DatabaseRoute.Response] = []
    for (asked, (recorded, response)) in zip(asked, zip(routes, responses)) {
      var answer = response
      if asked.writesRecords {
        if asked.returning == .minimal {
          answer = DatabaseRoute.Response(affected: response.affected)
        } else if recorded.returning == .minimal, response.affected > 0 {
          return .none("it was recorded without the rows that it wrote")
        }
      }
      do {
        try asked.check(answer)
      } catch {
        return .failure(error)
      }
      answers.append(answer)
    }
    return .responses(answers)
  }

  private func answer(
    to asked: [DatabaseRoute], _ failure: RouteRecording.Failure
  ) -> RecordedAnswer {
    guard case .router(let error) = failure, error.isAboutCount,
      asked.map(\.expectation) != routes.map(\.expectation)
    else { return .failure(failure.error) }
    if !isTogether, let asked = asked.first, let recorded = routes.first {
      switch error.code {
      // The method allows no more than one, whatever the call says.
      case .multipleRows where asked.method == .fetchOne: return .failure(error)
      case .multipleRows:
        do {
          try asked.expectation?.check(2, of: asked)
        } catch {
          return .failure(error)
        }
      case .notFound where recorded.method != .custom:
        // There is none: that is an answer where none are enough.
        do {
          try asked.check(DatabaseRoute.Response())
          return .responses([DatabaseRoute.Response()])
        } catch {
          return .failure(error)
        }
      default: break
      }
    }
    return .none("it was recorded with another demand on the number of rows, which it did not meet")
  }
}

extension RouterError {
  /// Whether it comes of what is demanded of the number of rows.
  fileprivate var isAboutCount: Bool {
    code == .notFound || code == .multipleRows || code == .tooManyRows
  }
}
