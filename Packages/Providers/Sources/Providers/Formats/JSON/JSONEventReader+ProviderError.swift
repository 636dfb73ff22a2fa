internal import Primitives

/// Adapters that convert errors to `ProviderError`.
extension JSONEventReader {
  @inline(__always)
  mutating func event(in bytes: Span<UInt8>) throws(ProviderError) -> JSONEvent {
    do throws(JSONFailure) {
      return try next(in: bytes)
    } catch {
      throw ProviderError(error)
    }
  }

  mutating func skippedContainer(
    in bytes: Span<UInt8>
  ) throws(ProviderError) -> Range<Int>? {
    do throws(JSONFailure) {
      return try skipContainer(in: bytes)
    } catch {
      throw ProviderError(error)
    }
  }
}

extension ProviderError {
  init(_ failure: JSONFailure) {
    let code: Code =
      switch failure.code {
      case .malformed: .malformed
      case .truncated: .truncated
      case .invalidEncoding: .invalidEncoding
      case .tooDeep, .tooLong: .limitExceeded
      }
    self.init(code, failure.message, position: Position(failure.position))
  }
}

extension ProviderError.Position {
  init(_ position: DataErrorPlace.Position) {
    self.init(
      byteOffset: position.byteOffset, line: position.line ?? 1, column: position.column)
  }
}

extension JSONReadingOptions {
  init(
    mode: Mode = .single, duplicateKeys: DuplicateKeys = .refused,
    limits: SourceSession.FormatLimits = .init()
  ) {
    self.init(
      mode: mode, duplicateKeys: duplicateKeys, depth: limits.depth, length: limits.length)
  }
}
