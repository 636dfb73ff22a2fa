import Foundation
import Testing

@testable import HoltChecks

@Suite struct `The availability script` {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../..").standardizedFileURL

  private func run(_ files: [String: String], _ targets: String...) throws -> Command {
    let tree = try TemporaryTree(files)
    for path in ["Tools/Availability", "Tests/Harness/Sources/SwiftUI"] {
      let folder = Self.root.appending(path: path)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        try tree.write(
          String(contentsOf: folder.appending(path: name), encoding: .utf8), to: "\(path)/\(name)")
      }
    }
    let script = Self.root.appending(path: "Tools/availability.sh").path
    return try Command.run(["/bin/bash", script] + targets, in: tree.repository.root)
  }

  @Test func `rejects an unknown target`() throws {
    let command = try run(["Packages/Nova/Sources/Nova/A.swift": ""])
    #expect(command.status != 0)
    #expect(
      command.errors == "availability: the target Nova is not listed in Tools/availability.sh\n")
  }

  #if os(Linux)
    @Test func `rejects unguarded names of newer systems`() throws {
      let folder = "Packages/Primitives/Sources/Primitives"
      let command = try run(
        [
          "\(folder)/A.swift": """
          func a(_ bytes: [UInt8]) -> Int { bytes.span.count }
          func b(_ bytes: [UInt8]) -> Int {
            if #available(macOS 26, *) { bytes.span.count } else { 0 }
          }
          func c(_ bytes: ArraySlice<UInt8>) -> Int { bytes.span.count }
          """,
          "\(folder)/B.swift": "import Combine\nfunc d() -> Int128 { 1 }",
        ], "Primitives")
      #expect(command.status == 1)
      #expect(command.errors.hasPrefix("\(folder)/A.swift:1:41: error: 'span' is only available"))
      #expect(
        command.errors.hasSuffix(
          "\navailability: declarations above require a later system than macosx14.0\n"))
      #expect(command.errors.contains("\(folder)/B.swift:2:13: error: 'Int128' is only available"))
      #expect(command.errors.split(separator: "\n").count { $0.hasPrefix("\(folder)/A") } == 1)
      #expect(command.output == "Primitives: 2 files, 0 other errors\n")
    }
  #endif
}
