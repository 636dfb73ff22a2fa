// Prints: unanswered
import Router
import RouterTesting

/// What the tests of an app do that take RouterTesting.
enum RouterTestingConsumer {
  static func run() async throws -> String {
    let router = GeneralRouter(UnimplementedExecutor())
    do {
      let names: [String] = try await router(.fetch(from: "todos"))
      return "answered: \(names)"
    } catch let error as RouterError {
      return error.code == .unanswered ? "unanswered" : "\(error)"
    }
  }
}
