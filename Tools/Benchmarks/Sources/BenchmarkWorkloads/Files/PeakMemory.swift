internal import CBaseline

/// Measures the peak of additional memory during work.
enum PeakMemory {
  static let title = "peak memory over the file"
  static let measure = Measure.counted(title)

  /// Runs the work and returns the peak as a multiple of a file's size, or NaN if it is not available.
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
