internal import CBaseline
internal import Foundation
internal import Synchronization

/// The data of all implementations: rows generated from a fixed seed, and files that contain them.
///
/// Swift values are created on first use, since the objects of other workloads make allocations and
/// memory accesses slower.
public final class Fixture: @unchecked Sendable {
  // Sendable, since the properties are only read after `init`.
  let scale: Scale
  /// The rows as C structs.
  let raw: UnsafePointer<baseline_item>
  let rawTexts: UnsafePointer<baseline_text>
  private let lazyItems = LazyValue<[Item]>()
  private let lazyPortableItems = LazyValue<[PortableItem]>()
  private let lazyTexts = LazyValue<[Page]>()
  private let lazyCoding = LazyValue<CodingFixture>()
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

  /// The rows to insert, in the form of each implementation.
  var items: [Item] { lazyItems.value { Item.all(raw, count: scale.inserts) } }
  var portableItems: [PortableItem] {
    lazyPortableItems.value { items.map { PortableItem($0) } }
  }
  var texts: [Page] { lazyTexts.value { Page.all(rawTexts, count: scale.texts) } }
  var coding: CodingFixture { lazyCoding.value { CodingFixture(count: scale.records) } }

  /// Removes the files.
  public func remove() { try? FileManager.default.removeItem(at: folder) }

  /// The path of the file to read.
  var path: String { file("items") }
  var textPath: String { file("texts") }
  /// The path and the row count of the file whose rows are changed while they are read.
  var sharedPath: String { file("shared") }
  var sharedRows: Int { min(scale.rows, 20_000) }

  /// Returns the path of a named file for a workload that writes.
  func file(_ name: String) -> String { folder.appendingPathComponent("\(name).sqlite").path }

  /// Creates a folder, in memory if possible, so that the disk does not affect the measurements.
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
  /// Returns the number of strings and blobs in rows that require an allocation. Swift stores
  /// strings of up to 15 bytes inline.
  ///
  /// - Parameter isC: Whether the rows are read by C code, which allocates every string.
  public func allocations(ofRows rows: Range<Int>, inC isC: Bool) -> Int {
    rows.reduce(0) { sum, index in
      let item = raw[index]
      return sum + (isC ? 1 : 0) + 1 + (item.note_is_null != 0 ? 0 : 1) + 1
    }
  }

  /// Returns the number of allocations for the rows of the lookups.
  public func allocationsOfLookups(inC isC: Bool) -> Int {
    (0..<scale.lookups).reduce(0) { sum, lookup in
      let index = Int(baseline_key(lookup, scale.rows)) - 1
      return sum + allocations(ofRows: index..<index + 1, inC: isC)
    }
  }
}

/// A value that is created on first use.
final class LazyValue<Value: Sendable>: Sendable {
  private let created = Mutex<Value?>(nil)

  func value(_ create: () throws -> Value) rethrows -> Value {
    try created.withLock { created in
      if let created { return created }
      let value = try create()
      created = value
      return value
    }
  }
}
