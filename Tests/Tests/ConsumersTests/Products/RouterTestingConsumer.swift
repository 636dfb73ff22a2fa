// Prints: unanswered
import Router
import RouterTesting

/// Tests of an app that use RouterTesting.
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
