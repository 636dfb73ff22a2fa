extension LSP {
  public struct SemanticTokensDeltaParams: Hashable, Sendable, Codable {
    public var textDocument: TextDocumentIdentifier
    public var previousResultId: String
  }

  public struct SemanticTokens: Hashable, Sendable, Codable {
    public var resultId: String?
    public var data: [Int]

    public init(resultId: String?, data: [Int]) {
      self.resultId = resultId
      self.data = data
    }
  }

  public struct SemanticTokensDelta: Hashable, Sendable, Codable {
    public struct Edit: Hashable, Sendable, Codable {
      public var start: Int
      public var deleteCount: Int
      public var data: [Int]

      public init(start: Int, deleteCount: Int, data: [Int]) {
        self.start = start
        self.deleteCount = deleteCount
        self.data = data
      }
    }
    public var resultId: String
    public var edits: [Edit]

    public init(resultId: String, edits: [Edit]) {
      self.resultId = resultId
      self.edits = edits
    }
  }

  public struct InlayHint: Hashable, Sendable, Codable {
    public var position: Position
    public var label: String
    /// 1: type, 2: parameter.
    public var kind: Int?
    public var paddingLeft: Bool?

    public init(position: Position, label: String, kind: Int?, paddingLeft: Bool?) {
      self.position = position
      self.label = label
      self.kind = kind
      self.paddingLeft = paddingLeft
    }
  }

  public struct Command: Hashable, Sendable, Codable {
    public var title: String
    public var command: String
    public var arguments: [JSONValue]?

    public init(title: String, command: String, arguments: [JSONValue]? = nil) {
      self.title = title
      self.command = command
      self.arguments = arguments
    }
  }

  public struct ExecuteCommandParams: Hashable, Sendable, Codable {
    public var command: String
    public var arguments: [JSONValue]?
  }

  public struct CodeLens: Hashable, Sendable, Codable {
    public var range: Range
    public var command: Command?

    public init(range: Range, command: Command?) {
      self.range = range
      self.command = command
    }
  }
}
