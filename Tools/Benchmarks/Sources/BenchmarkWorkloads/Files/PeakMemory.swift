internal import CBaseline

/// The most memory that a piece of work takes beyond what there is before.
enum PeakMemory {
  static let title = "peak memory over the file"
  static let measure = Measure.counted(title)

  /// Does the work, and tells of its peak in multiples of a file's size; of NaN where the system does not tell.
  static func measuring(
    fileSize: Int, _ work: () throws -> Work
  ) rethrows -> Work {
    baseline_reset_peak()
    let before = baseline_resident_bytes()
    let done = try work()
    let peak = baseline_peak_bytes()
    var counts = done.counts
    counts[title] = peak > before ? Double(peak - before) / Double(fileSize) : .nan
    return Work(checksum: done.checksum, time: done.time, counts: counts)
  }
}
