internal import CBaseline
internal import Foundation

/// The data that all contestants work on: rows of a fixed seed, and the files that hold them.
public final class Fixture: @unchecked Sendable {
  // All is made once, by `init`, and only read after.
  let scale: Scale
  /// The rows as C has them.
  let raw: UnsafePointer<baseline_item>
  let rawTexts: UnsafePointer<baseline_text>
  /// The rows to insert, as each contestant has them.
  let items: [Item]
  let portableItems: [PortableItem]
  let texts: [Page]
  let coding: CodingFixture
  let formats: FormatFixture
  private let folder: URL

  public init(_ scale: Scale) throws {
    self.scale = scale
    let count = max(scale.rows, scale.inserts)
    guard let raw = baseline_items(count), let rawTexts = baseline_texts(scale.texts) else {
      throw BaselineError(code: 7)
    }
    self.raw = UnsafePointer(raw)
    self.rawTexts = UnsafePointer(rawTexts)
    items = Item.all(raw, count: scale.inserts)
    portableItems = items.map { PortableItem($0) }
    texts = Page.all(rawTexts, count: scale.texts)
    coding = CodingFixture(count: scale.records)
    formats = FormatFixture(megabytes: scale.megabytes)
    folder = try Self.makeFolder()
    _ = try baseline { baseline_insert(self.path, raw, scale.rows, &$0) }
    _ = try baseline { baseline_insert(self.sharedPath, raw, self.sharedRows, &$0) }
    _ = try baseline { baseline_insert_texts(self.textPath, rawTexts, scale.texts, &$0) }
  }

  deinit {
    free(UnsafeMutableRawPointer(mutating: raw))
    free(UnsafeMutableRawPointer(mutating: rawTexts))
  }

  /// Takes the files away.
  public func remove() { try? FileManager.default.removeItem(at: folder) }

  /// The file that is read.
  var path: String { file("items") }
  var textPath: String { file("texts") }
  /// The file whose rows are changed while they are read, and the number of its rows.
  var sharedPath: String { file("shared") }
  var sharedRows: Int { min(scale.rows, 20_000) }

  /// A file of this name, for a workload that writes.
  func file(_ name: String) -> String { folder.appendingPathComponent("\(name).sqlite").path }

  /// A folder in memory where the system has one, so that the disk is not what is measured.
  private static func makeFolder() throws -> URL {
    let memory = URL(fileURLWithPath: "/dev/shm")
    let parent =
      FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
    let folder = parent.appendingPathComponent("holt-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}

extension Fixture {
  /// The texts and blobs of rows that a Swift value allocates memory for: texts of up to 15 bytes lie
  /// in the value itself.
  ///
  /// - Parameter isC: Whether it is C that reads, where each text is allocated.
  public func allocations(ofRows rows: Range<Int>, inC isC: Bool) -> Int {
    rows.reduce(0) { sum, index in
      let item = raw[index]
      return sum + (isC ? 1 : 0) + 1 + (item.note_is_null != 0 ? 0 : 1) + 1
    }
  }

  /// The same for the rows that are looked up.
  public func allocationsOfLookups(inC isC: Bool) -> Int {
    (0..<scale.lookups).reduce(0) { sum, lookup in
      let index = Int(baseline_key(lookup, scale.rows)) - 1
      return sum + allocations(ofRows: index..<index + 1, inC: isC)
    }
  }
}
