internal import CLibPQ

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The time of day.
enum WallClock {
  /// The microseconds since 2000-01-01, from which PostgreSQL counts.
  static var microseconds: Int64 {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
    return (Int64(time.tv_sec) - 946_684_800) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
