import Foundation

/// Where the samples of one seed stand, and what differs there: a chapter of this folder's README.
struct SeedMap {
  /// A file, by its path from this folder, and the beginnings of declarations in it; none for the whole file.
  struct Place: Equatable {
    let file: String
    var declarations: [String] = []
  }

  struct Entry: Equatable {
    let sample: Int
    let heading: String
    let places: [Place]
  }

  /// A piece of a line that reads otherwise here. Pieces that are left out are empty here.
  struct Difference: Equatable {
    let samples: [Int]
    let seed: String
    let here: String
    let reason: String
  }

  /// The three digits that the seed's file begins with.
  let seed: String
  private(set) var entries: [Entry] = []
  private(set) var differences: [Difference] = []

  /// The chapters whose headings begin with three digits.
  static func maps(of page: String) -> [SeedMap] {
    var maps: [SeedMap] = []
    var isMap = false
    for line in page.split(separator: "\n") {
      if line.hasPrefix("## ") {
        let seed = line.dropFirst(3).prefix(3)
        isMap = seed.count == 3 && seed.allSatisfy(\.isNumber)
        if isMap { maps.append(SeedMap(seed: String(seed))) }
      } else if isMap, line.hasPrefix("| "), line.dropFirst(2).first?.isNumber == true {
        maps[maps.count - 1].add(row: cells(of: line))
      }
    }
    return maps
  }

  private static func cells(of line: Substring) -> [String] {
    line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private mutating func add(row: [String]) {
    let samples = Self.numbers(row[0])
    if row.count == 3, let sample = samples.first {
      entries.append(Entry(sample: sample, heading: row[1], places: Self.places(row[2])))
    } else if row.count == 4 {
      differences.append(
        Difference(
          samples: samples, seed: Self.code(row[1]), here: Self.code(row[2]), reason: row[3]))
    }
  }

  /// `2, 7–9`
  private static func numbers(_ cell: String) -> [Int] {
    cell.split(separator: ",").flatMap { part -> [Int] in
      let ends = part.split(separator: "–").compactMap {
        Int($0.trimmingCharacters(in: .whitespaces))
      }
      guard let first = ends.first, let last = ends.last, first <= last else { return [] }
      return Array(first...last)
    }
  }

  /// What stands between a cell's first backtick and its last.
  private static func code(_ cell: String) -> String {
    guard let start = cell.firstIndex(of: "`"), let end = cell.lastIndex(of: "`"), start < end
    else { return "" }
    return String(cell[cell.index(after: start)..<end])
  }

  private static func places(_ cell: String) -> [Place] {
    var places: [Place] = []
    for (offset, part) in cell.components(separatedBy: "`").enumerated() where offset % 2 == 1 {
      if part.hasSuffix(".swift") || part.hasSuffix(".sql") {
        places.append(Place(file: part))
      } else if !places.isEmpty {
        places[places.count - 1].declarations.append(part)
      }
    }
    return places
  }

  /// What of a sample does not stand where the map says.
  ///
  /// - Parameter text: The text of a file.
  func gaps(in sample: SeedSample, text: (String) throws -> String) rethrows -> [String] {
    guard let entry = entries.first(where: { $0.sample == sample.number }) else {
      return ["sample \(sample.number) is not in the map"]
    }
    var gaps: [String] = []
    if entry.heading != sample.heading {
      gaps.append("stands under \"\(sample.heading)\", and not \"\(entry.heading)\"")
    }
    var region: [String] = []
    for place in entry.places {
      let source = SeedSource(try text(place.file))
      gaps += place.declarations.filter { source.blocks(of: $0).isEmpty }
        .map { "there is no `\($0)` in \(place.file)" }
      region += source.region(of: place.declarations)
    }
    let (lines, unused) = differing(sample)
    gaps += unused.map { "has no `\($0.seed)`, which is said to differ" }
    gaps += SeedSource.missing(lines, from: region).map { "`\($0)` does not stand there" }
    return gaps.map { "sample \(sample.number): \($0)" }
  }

  /// A sample's lines as they are to read here, and the differences that say nothing of it, though they name it.
  private func differing(_ sample: SeedSample) -> (lines: [String], unused: [Difference]) {
    var lines = sample.lines
    var unused: [Difference] = []
    for difference in differences where difference.samples.contains(sample.number) {
      let changed = lines.map { $0.replacing(difference.seed, with: difference.here) }
      if changed == lines { unused.append(difference) }
      lines = changed
    }
    return (lines, unused)
  }
}
