import Relations
import SQLiteCore
import SwiftUI
import Testing

/// The recommended declaration for apps that import both modules.
typealias Table = Relations.Table

private struct Track: Table {
  var id: AutoId = 0
  var title = ""
  var seconds = 0
}

private struct TrackList: View {
  let tracks: [Track]

  var body: some View {
    SwiftUI.Table(
      tracks,
      columns: [
        TableColumn("Title") { $0.title }, TableColumn("Length") { "\($0.seconds) s" },
      ])
  }
}

@Suite @MainActor struct `The name Table of Relations and SwiftUI` {
  @Test func `is the protocol after a typealias, and SwiftUI's view by its qualified name`()
    async throws
  {
    let session = ModelSession(try Database(.memory))
    try await session.use {
      try await Track(title: "Faith", seconds: 194).save()
      let tracks = try await Track.fetchQuery()
      let host = Host { TrackList(tracks: tracks) }
      #expect(host.render() == ["Faith", "194 s"])
    }
  }
}
