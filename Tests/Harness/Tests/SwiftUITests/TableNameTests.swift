import Relations
import SQLiteCore
import SwiftUI
import Testing

/// The declaration for apps that import both modules.
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

@Suite @MainActor struct `Table, a name of Relations and of SwiftUI` {
  @Test func `is the protocol where the app says so, and SwiftUI's view by its whole name`()
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
