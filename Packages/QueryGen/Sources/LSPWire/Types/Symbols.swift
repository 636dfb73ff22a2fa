extension LSP {
  public struct SymbolKind: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let property = SymbolKind(rawValue: 7)
    public static let field = SymbolKind(rawValue: 8)
    public static let interface = SymbolKind(rawValue: 11)
    public static let function = SymbolKind(rawValue: 12)
    public static let key = SymbolKind(rawValue: 20)
    public static let structure = SymbolKind(rawValue: 23)
    public static let event = SymbolKind(rawValue: 24)
  }

  public struct DocumentSymbol: Hashable, Sendable, Codable {
    public var name: String
    public var detail: String?
    public var kind: SymbolKind
    public var range: Range
    public var selectionRange: Range
    public var children: [DocumentSymbol]?

    public init(
      name: String, detail: String?, kind: SymbolKind, range: Range, selectionRange: Range,
      children: [DocumentSymbol]?
    ) {
      self.name = name
      self.detail = detail
      self.kind = kind
      self.range = range
      self.selectionRange = selectionRange
      self.children = children
    }
  }

  public struct WorkspaceSymbolParams: Hashable, Sendable, Codable {
    public var query: String
  }

  public struct SymbolInformation: Hashable, Sendable, Codable {
    public var name: String
    public var kind: SymbolKind
    public var location: Location
    public var containerName: String?

    public init(name: String, kind: SymbolKind, location: Location, containerName: String?) {
      self.name = name
      self.kind = kind
      self.location = location
      self.containerName = containerName
    }
  }

  public struct FoldingRange: Hashable, Sendable, Codable {
    public var startLine: Int
    public var endLine: Int
    public var kind: String?

    public init(startLine: Int, endLine: Int, kind: String?) {
      self.startLine = startLine
      self.endLine = endLine
      self.kind = kind
    }
  }

  public struct SelectionRangeParams: Hashable, Sendable, Codable {
    public var textDocument: TextDocumentIdentifier
    public var positions: [Position]
  }

  /// A range and the ranges around it, from the inside out.
  public final class SelectionRange: Sendable, Encodable {
    public let range: Range
    public let parent: SelectionRange?

    public init(range: Range, parent: SelectionRange?) {
      self.range = range
      self.parent = parent
    }
  }

  public struct DocumentHighlight: Hashable, Sendable, Codable {
    public var range: Range
    /// 1: text, 2: read, 3: write.
    public var kind: Int

    public init(range: Range, kind: Int) {
      self.range = range
      self.kind = kind
    }
  }

  public struct ReferenceParams: Hashable, Sendable, Codable {
    public struct Context: Hashable, Sendable, Codable { public var includeDeclaration: Bool }
    public var textDocument: TextDocumentIdentifier
    public var position: Position
    public var context: Context
  }

  public struct Hover: Hashable, Sendable, Codable {
    public var contents: MarkupContent
    public var range: Range?

    public init(contents: MarkupContent, range: Range?) {
      self.contents = contents
      self.range = range
    }
  }
}
