#if canImport(SwiftUI) && (canImport(Darwin) || HOLT_SWIFTUI_STAND_IN)
  internal import Foundation

  enum MainThread {
    static var isCurrent: Bool { Thread.isMainThread }
  }
#endif
