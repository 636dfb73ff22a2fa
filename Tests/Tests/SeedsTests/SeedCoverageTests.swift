import Foundation
import Testing

/// Compares the README's map with the sources and, if the seeds exist next to the repository, with each of their
/// lines.
@Suite struct `The map of the seeds` {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let seeds = folder.appending(path: "../../../../shared/seeds").standardizedFileURL
  static var areSeedsThere: Bool { FileManager.default.fileExists(atPath: seeds.path) }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  private static func maps() throws -> [SeedMap] { SeedMap.maps(of: try text("README.md")) }

  @Test func `has samples in order and in existing places`() throws {
    let maps = try Self.maps()
    #expect(maps.map(\.seed) == ["000", "001", "002", "003", "004"])
    for map in maps {
      #expect(map.entries.map(\.sample) == Array(1...max(1, map.entries.count)), "\(map.seed)")
      for place in map.entries.flatMap(\.places) {
        let source = SeedSource(try Self.text(place.file))
        for declaration in place.declarations {
          #expect(!source.blocks(of: declaration).isEmpty, "\(declaration) in \(place.file)")
        }
      }
      for difference in map.differences {
        #expect(!difference.seed.isEmpty && !difference.reason.isEmpty, "\(difference)")
        #expect(difference.samples.allSatisfy { 1...map.entries.count ~= $0 }, "\(difference)")
      }
    }
  }

  @Test(.enabled(if: areSeedsThere, "the seeds do not exist next to the repository"))
  func `has every line of every sample`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.seeds.path).sorted()
    let maps = try Self.maps()
    #expect(files.map { String($0.prefix(3)) } == maps.map(\.seed))
    for (file, map) in zip(files, maps) {
      let page = try String(contentsOf: Self.seeds.appending(path: file), encoding: .utf8)
      let samples = SeedSample.samples(of: page)
      #expect(samples.map(\.number) == map.entries.map(\.sample), "seed \(map.seed)")
      for gap in try samples.flatMap({ try map.gaps(in: $0, text: Self.text) }) {
        Issue.record("seed \(map.seed), \(gap)")
      }
    }
  }

  // MARK: The detection of gaps

  private static let page = """
    # One
    ```swift
    let a = open(
      1)
    print(a) // shows
    ```
    ## Two
    > ```
    > close()
    """
  private static let map = """
    ## 000, a seed
    | sample | heading | where |
    |---|---|---|
    | 1 | One | `A.swift`: `func opens it` |
    | 2 | Two | `A.swift`: `func closes`, `struct Gone` |

    | samples | the seed | here | why |
    |---|---|---|---|
    | 1–2 | `open(` | `try open(` | it can fail |
    """
  private static let source = """
    import Testing

    @Test func `opens it`() {
      let a = try open(1)
      print(a)
      print(b)
    }

    func closes() { close() }
    """

  @Test func `is read from tables`() throws {
    let map = try #require(SeedMap.maps(of: Self.map).first)
    #expect(
      map.entries == [
        .init(
          sample: 1, heading: "One",
          places: [.init(file: "A.swift", declarations: ["func opens it"])]),
        .init(
          sample: 2, heading: "Two",
          places: [.init(file: "A.swift", declarations: ["func closes", "struct Gone"])]),
      ])
    #expect(
      map.differences == [
        .init(samples: [1, 2], seed: "open(", here: "try open(", reason: "it can fail")
      ])
  }

  @Test func `reports missing lines, declarations and differences`() throws {
    let map = try #require(SeedMap.maps(of: Self.map).first)
    let samples = SeedSample.samples(of: Self.page)
    #expect(samples.map(\.heading) == ["One", "Two"])
    #expect(samples.map(\.lines) == [["let a = open(", "1)", "print(a) // shows"], ["close()"]])
    let gaps = samples.map { map.gaps(in: $0) { _ in Self.source } }
    #expect(
      gaps == [
        [
          "sample 1: `let a = try open(` is missing in the listed declarations",
          "sample 1: `1)` is missing in the listed declarations",
        ],
        [
          "sample 2: no `struct Gone` in A.swift",
          "sample 2: does not contain the listed difference `open(`",
          "sample 2: `close()` is missing in the listed declarations",
        ],
      ])
  }

  @Test(
    arguments: [
      (["print(b)"], []), (["print(a)", "print(b)"], []), (["print(b)", "print(a)"], ["print(a)"]),
      (["a"], ["a"]), (["print(a) print(b)"], []), (["}", "...", "// print(c)"], []),
      (["let a=try open( 1 )"], []), (["let a = open(1)"], ["let a = open(1)"]),
    ] as [([String], [String])])
  func `finds lines in order, regardless of white space`(lines: [String], missing: [String]) {
    let region = SeedSource(Self.source).region(of: ["func opens it"])
    #expect(SeedSource.missing(lines, from: region) == missing)
  }
}
