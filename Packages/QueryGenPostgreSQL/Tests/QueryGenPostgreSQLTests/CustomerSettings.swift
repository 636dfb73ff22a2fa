/// A type of the program, stored as JSON.
public struct CustomerSettings: Codable, Hashable, Sendable {
  public var theme: String
  public var volume: Int?

  public init(theme: String, volume: Int? = nil) {
    self.theme = theme
    self.volume = volume
  }
}
