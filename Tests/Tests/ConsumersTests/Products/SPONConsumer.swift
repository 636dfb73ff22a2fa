// Prints: @obj:Address<city$=`Oslo` zip!=`150`> of Oslo
import SPON

/// An app that only uses SPON.
enum SPONConsumer {
  struct Address: Codable {
    var city: String
    var zip: Int
  }

  static func run() async throws -> String {
    let text = try SPONEncoder().encode(Address(city: "Oslo", zip: 150))
    let address = try SPONDecoder().decode(Address.self, from: text)
    return "\(text) of \(address.city)"
  }
}
