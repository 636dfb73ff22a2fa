public import Foundation

extension SPONError: LocalizedError {
  /// The ``description``, so that `localizedDescription` says it too.
  public var errorDescription: String? { description }
}
