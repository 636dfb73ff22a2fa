import Foundation

/// The places of one seed's samples and their differences, read from a chapter of this folder's README.
struct SeedMap {
  /// A file with its path relative to this folder, and the beginnings of declarations; empty for the whole file.
  struct Place: Equatable {
    let file: String
    var declarations: [String] = []
  }

  struct Entry: Equatable {
    let sample: Int
    let heading: String
    let places: [Place]
  }

  /// A part of a line that differs from the seed. An omitted part is an empty string here.
  struct Difference: Equatable {
    let samples: [Int]
    let seed: String
    let here: String
    let reason: String
  }

  /// The three digits at the beginning of the seed's file name.
  let seed: String
  private(set) var entries: [Entry] = []
  private(set) var differences: [Difference] = []

  /// Reads the chapters whose headings start with three digits.
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

  /// Parses numbers and ranges such as `2, 7–9`.
  private static func numbers(_ cell: String) -> [Int] {
    cell.split(separator: ",").flatMap { part -> [Int] in
      let ends = part.split(separator: "–").compactMap {
        Int($0.trimmingCharacters(in: .whitespaces))
      }
      guard let first = ends.first, let last = ends.last, first <= last else { return [] }
      return Array(first...last)
    }
  }

  /// Returns the text between a cell's first and last backtick.
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

  /// Returns the lines of a sample that are missing in the place given by the map.
  ///
  /// - Parameter text: Returns the text of a file.
  func gaps(in sample: SeedSample, text: (String) throws -> String) rethrows -> [String] {
    guard let entry = entries.first(where: { $0.sample == sample.number }) else {
      return ["sample \(sample.number) is not in the map"]
    }
    var gaps: [String] = []
    if entry.heading != sample.heading {
      gaps.append("is in the section \"\(sample.heading)\", not \"\(entry.heading)\"")
    }
    var region: [String] = []
    for place in entry.places {
      let source = SeedSource(try text(place.file))
      gaps += place.declarations.filter { source.blocks(of: $0).isEmpty }
        .map { "no `\($0)` in \(place.file)" }
      region += source.region(of: place.declarations)
    }
    let (lines, unused) = differing(sample)
    gaps += unused.map { "does not contain the listed difference `\($0.seed)`" }
    gaps += SeedSource.missing(lines, from: region).map {
      "`\($0)` is missing in the listed declarations"
    }
    return gaps.map { "sample \(sample.number): \($0)" }
  }

  /// Returns a sample's lines with the differences applied, and the differences that do not occur in the sample.
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
