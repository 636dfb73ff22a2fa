extension DatabaseRoute {
  /// The reply of an override in place of the database.
  ///
  /// ```swift
  /// router.override(\.todos.fetch, with: .failure(Offline()))
  /// router.override(\.todos.fetchOne, with: .sequence(.failure(Offline()), .value(Todo.milk)))
  /// router.override(\.todos.save, with: .delayed(by: .seconds(1), .passThrough))
  /// ```
  ///
  /// A value remains the same Swift value: a call for its type, or for an array of it, returns the value itself. A call
  /// for another type converts it to a row and decodes the row.
  ///
  /// Nested replies (``sequence(_:)-(DatabaseRoute.Reply...)``, ``delayed(by:_:)``, ``times(_:)``) have at most 100 levels; a
  /// deeper one is a failure with the code ``RouterError/Code/invalidRoute``.
  public struct Reply: Sendable {
    indirect enum Content: Sendable {
      case value(any Encodable & Sendable)
      case response(Response)
      case failure(any Error)
      case passThrough
      case sequence([Reply])
      case delayed(Duration, Reply)
    }

    let content: Content
    /// The number of replies around the innermost one, which is bounded like the depth of filters.
    private let depth: Int
    /// The number of calls that the reply covers.
    let count: Int
    private static let maximumDepth = 100

    private init(_ content: Content) {
      let depth =
        switch content {
        case .value, .response, .failure, .passThrough: 0
        case .sequence(let replies): replies.reduce(0) { max($0, $1.depth + 1) }
        case .delayed(_, let reply): reply.depth + 1
        }
      let isTooDeep = depth > Self.maximumDepth
      count =
        switch content {
        case _ where isTooDeep: 1
        case .value, .response, .failure, .passThrough: 1
        case .delayed(_, let reply): reply.count
        case .sequence(let replies):
          replies.isEmpty ? 1 : replies.reduce(0) { Self.sum($0, $1.count) }
        }
      self.depth = isTooDeep ? 0 : depth
      self.content =
        isTooDeep
        ? .failure(
          RouterError.invalid(
            "the reply of an override is nested deeper than \(Self.maximumDepth) levels"))
        : content
    }

    /// Replies with a value: an array for several rows, an empty array or `nil` for no row.
    public static func value(_ value: some Encodable & Sendable) -> Reply {
      Reply(.value(value))
    }

    /// The same as ``value(_:)``.
    public static func success(_ value: some Encodable & Sendable) -> Reply {
      Reply(.value(value))
    }

    /// Replies with success and no rows, for calls that expect no result.
    public static func success() -> Reply { Reply(.response(Response())) }

    /// Replies with a number of written rows, for calls that expect this number.
    public static func affected(_ count: Int) -> Reply {
      Reply(.response(Response(affected: count)))
    }

    /// Replies with the response of a database.
    public static func response(_ response: Response) -> Reply {
      Reply(.response(response))
    }

    /// Replies with an error, which the call throws.
    public static func failure(_ error: any Error) -> Reply { Reply(.failure(error)) }

    /// Passes the call to the next override, or to the database.
    public static let passThrough = Reply(.passThrough)

    /// Replies with one reply per call, and repeats the last one. An empty sequence is ``passThrough``.
    public static func sequence(_ replies: Reply...) -> Reply { sequence(replies) }

    /// Replies with one reply per call, and repeats the last one. An empty sequence is ``passThrough``.
    public static func sequence(_ replies: [Reply]) -> Reply {
      Reply(.sequence(replies))
    }

    /// Replies after a delay. A call that is cancelled during the delay throws `CancellationError`.
    public static func delayed(by duration: Duration, _ reply: Reply) -> Reply {
      Reply(.delayed(duration, reply))
    }

    /// Repeats the reply, or the whole sequence, the given number of times; then passes calls through.
    public func times(_ count: Int) -> Reply {
      .sequence(Array(repeating: self, count: max(0, count)) + [.passThrough])
    }
  }
}

extension DatabaseRoute.Reply {
  /// Returns the reply to one of several calls, counted from 0. The result is not a sequence.
  func reply(to call: Int) -> DatabaseRoute.Reply {
    switch content {
    case .value, .response, .failure, .passThrough: return self
    case .delayed(let duration, let reply): return .delayed(by: duration, reply.reply(to: call))
    case .sequence(let replies):
      guard let last = replies.last else { return .passThrough }
      var rest = call
      for reply in replies {
        if rest < reply.count { return reply.reply(to: rest) }
        rest -= reply.count
      }
      return last.reply(to: last.count - 1)
    }
  }

  /// Returns the sum, or the largest integer if it overflows, because nested sequences may cover more calls.
  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, overflows) = a.addingReportingOverflow(b)
    return overflows ? .max : sum
  }
}
