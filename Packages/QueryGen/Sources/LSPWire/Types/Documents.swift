extension LSP {
  public struct TextDocumentIdentifier: Hashable, Sendable, Codable {
    public var uri: String
    /// The version, in notifications about changes.
    public var version: Int?
  }

  public struct OptionalVersionedTextDocumentIdentifier: Hashable, Sendable, Codable {
    public var uri: String
    public var version: Int?

    public init(uri: String, version: Int?) {
      self.uri = uri
      self.version = version
    }

    // An unknown version is null rather than missing.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(uri, forKey: .uri)
      try container.encode(version, forKey: .version)
    }
  }

  public struct TextDocumentItem: Hashable, Sendable, Codable {
    public var uri: String
    public var languageId: String
    public var version: Int
    public var text: String
  }

  public struct DidOpenParams: Hashable, Sendable, Codable {
    public var textDocument: TextDocumentItem
  }

  public struct TextDocumentContentChangeEvent: Hashable, Sendable, Codable {
    /// The replaced range; `nil` if the text is the whole document.
    public var range: Range?
    public var text: String
  }

  public struct DidChangeParams: Hashable, Sendable, Codable {
    public var textDocument: TextDocumentIdentifier
    public var contentChanges: [TextDocumentContentChangeEvent]
  }

  /// The parameters of requests and notifications about a whole document.
  public struct DocumentParams: Hashable, Sendable, Codable {
    public var textDocument: TextDocumentIdentifier
  }

  /// The parameters of requests about a position.
  public struct PositionParams: Hashable, Sendable, Codable {
    public var textDocument: TextDocumentIdentifier
    public var position: Position
  }

  /// The parameters of requests about a range.
  public struct RangeParams: Hashable, Sendable, Codable {
    public var textDocument: TextDocumentIdentifier
    public var range: Range
  }

  public struct WorkspaceFolder: Hashable, Sendable, Codable {
    public var uri: String
    public var name: String
  }

  public struct DidChangeWorkspaceFoldersParams: Hashable, Sendable, Codable {
    public struct Event: Hashable, Sendable, Codable {
      public var added: [WorkspaceFolder]
      public var removed: [WorkspaceFolder]
    }
    public var event: Event
  }

  public struct CancelParams: Hashable, Sendable, Codable {
    public var id: RequestID
  }
}
