import Foundation
import Testing

/// A page of `Docs/Guides`, with its tables of equivalents.
struct Guide: CustomTestStringConvertible, Sendable {
  let name: String
  let text: String

  var testDescription: String { name }

  /// The root of the repository; `nil` if the test runs without its sources.
  static let root: URL? = {
    var folder = URL(filePath: #filePath)
    for _ in 1...5 { folder.deleteLastPathComponent() }
    let guides = folder.appending(path: "Docs/Guides/README.md")
    return FileManager.default.fileExists(atPath: guides.path(percentEncoded: false))
      ? folder : nil
  }()

  /// All guides; empty if the test runs without the sources.
  static let all: [Guide] = {
    guard let folder = root?.appending(path: "Docs/Guides") else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasPrefix("From") && $0.hasSuffix(".md") }.sorted().compactMap {
      let text = try? String(contentsOf: folder.appending(path: $0), encoding: .utf8)
      return text.map { [name = $0] in Guide(name: name, text: $0) }
    }
  }()

  /// The code in the columns named Holt, with line numbers.
  var names: [(line: Int, name: String)] {
    var found: [(Int, String)] = []
    var column: Int?
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      guard line.hasPrefix("|") else {
        column = nil
        continue
      }
      let cells = Self.cells(of: line)
      guard let place = column else {
        column = cells.firstIndex(of: "Holt") ?? -1
        continue
      }
      guard cells.indices.contains(place) else { continue }
      for (index, span) in cells[place].split(separator: "`", omittingEmptySubsequences: false)
        .enumerated() where index % 2 == 1
      {
        found.append((number + 1, String(span)))
      }
    }
    return found
  }

  /// Returns the cells of a row. An escaped `|` is part of a cell.
  private static func cells(of line: Substring) -> [String] {
    line.replacing("\\|", with: "\u{1}").split(separator: "|", omittingEmptySubsequences: false)
      .dropFirst().map {
        $0.trimmingCharacters(in: .whitespaces).replacing("\u{1}", with: "|")
      }
  }
}

extension String {
  /// Returns whether the code is SQL, a command or a file instead of a Swift name.
  var isNoSwift: Bool {
    if hasPrefix("--") || contains("/") || hasSuffix(".sql") || hasSuffix(".yaml") { return true }
    guard let first = split(separator: " ").first else { return false }
    if first == "querygen" || first == "holt" { return true }
    return first.count > 1 && first.utf8.allSatisfy { (65...90).contains($0) || $0 == 95 }
  }
}
