extension LSP {
  public struct InitializeParams: Hashable, Sendable, Codable {
    public var processId: Int?
    public var rootUri: String?
    public var rootPath: String?
    public var workspaceFolders: [WorkspaceFolder]?
    public var capabilities: JSONValue
  }
}
