/// The types of the Language Server Protocol 3.17 that the server uses, named as in the protocol.
///
/// Optional members are omitted when they are `nil`. Enumerations that clients may extend are
/// structs.
public enum LSP {}

extension LSP {
  /// A position: a 0-based line, and a number of code units of the negotiated encoding.
  public struct Position: Hashable, Sendable, Codable {
    public var line: Int
    public var character: Int

    public init(line: Int, character: Int) {
      self.line = line
      self.character = character
    }
  }

  public struct Range: Hashable, Sendable, Codable {
    public var start: Position
    public var end: Position

    public init(start: Position, end: Position) {
      self.start = start
      self.end = end
    }
  }

  public struct Location: Hashable, Sendable, Codable {
    public var uri: String
    public var range: Range

    public init(uri: String, range: Range) {
      self.uri = uri
      self.range = range
    }
  }

  public struct TextEdit: Hashable, Sendable, Codable {
    public var range: Range
    public var newText: String
    public var annotationId: String?

    public init(range: Range, newText: String, annotationId: String? = nil) {
      self.range = range
      self.newText = newText
      self.annotationId = annotationId
    }
  }

  public struct MarkupContent: Hashable, Sendable, Codable {
    public var kind: String
    public var value: String

    public init(markdown value: String) {
      kind = "markdown"
      self.value = value
    }
  }
}
