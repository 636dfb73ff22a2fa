import Foundation

/// How much is tried: some in `make test`, all of it in `make reliability`.
enum Effort {
  static let isFull = ProcessInfo.processInfo.environment["HOLT_RELIABILITY"] == "all"

  /// The number of times that something random is tried.
  static func count(_ some: Int, all: Int) -> Int { isFull ? all : some }
}
