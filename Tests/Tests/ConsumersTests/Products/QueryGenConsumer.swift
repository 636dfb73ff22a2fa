// Prints: Lunch, and an error
import QueryGen

/// An app that uses QueryGen's runtime without the plugin.
enum QueryGenConsumer {
  final class ViewModel {
    let fetchString: any Query<Int, String>

    init(fetchString: any Query<Int, String>) { self.fetchString = fetchString }
  }

  struct Unknown: Error {}

  static func run() async throws -> String {
    let preview = ViewModel(fetchString: Queries.Just("Lunch"))
    let failing = ViewModel(fetchString: Queries.Fail(Unknown()))
    let lunch = try await preview.fetchString.execute(1)
    do {
      return "\(lunch), and \(try await failing.fetchString.execute(1))"
    } catch is Unknown {
      return "\(lunch), and an error"
    }
  }
}
