public import Foundation

extension SPONError: LocalizedError {
  /// The ``description``, so that `localizedDescription` returns it too.
  public var errorDescription: String? { description }
}
