internal import LSPWire
internal import QueryGenLanguage

/// The progress of the first analysis, which the client shows if it takes more than a few milliseconds.
enum LoadProgress: Equatable {
  case none
  /// The client was asked to create the token, by a request with this identifier.
  case requested(RequestID)
  /// The client has created the token.
  case reporting(percentage: Int)
  case ended
}

extension LanguageServer {
  private static let progressToken = "querygen-load"

  /// Reports that the first analysis is not complete.
  mutating func reportProgress() {
    switch progress {
    case .none:
      guard client.showsProgress else { return }
      progress = .requested(
        request("window/workDoneProgress/create", ["token": Self.progressToken]))
    case .reporting(let percentage):
      let current = host.analyzedPercentage
      guard current > percentage else { return }
      progress = .reporting(percentage: current)
      sendProgress(["kind": "report", "percentage": .integer(current)])
    case .requested, .ended: break
    }
  }

  mutating func endProgress() {
    if case .reporting = progress { sendProgress(["kind": "end"]) }
    progress = .ended
  }

  /// Begins to report progress if the client has created the token.
  mutating func receive(responseTo id: RequestID, _ body: MessageBody) {
    guard progress == .requested(id) else { return }
    guard !body.isFailure else {
      progress = .ended
      return
    }
    let percentage = host.analyzedPercentage
    progress = .reporting(percentage: percentage)
    sendProgress([
      "kind": "begin", "title": "Checking SQL", "percentage": .integer(percentage),
      "cancellable": false,
    ])
  }

  private func sendProgress(_ value: JSONValue) {
    notify("$/progress", ["token": .string(Self.progressToken), "value": value] as JSONValue)
  }
}
