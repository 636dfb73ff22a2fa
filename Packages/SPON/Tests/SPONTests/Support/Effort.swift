import Foundation

/// The number of cases: some in `make test`, all in `make reliability`.
enum Effort {
  static let isFull = ProcessInfo.processInfo.environment["HOLT_RELIABILITY"] == "all"

  /// The number of random cases.
  static func count(_ some: Int, all: Int) -> Int { isFull ? all : some }
}
