/// Names in SQL text.
public enum SQLName {
  /// The name in double quotes, so that SQLite reads it as this name and as nothing else.
  public static func quoted(_ name: String) -> String {
    name.quoted(with: UInt8(ascii: "\""))
  }
}
