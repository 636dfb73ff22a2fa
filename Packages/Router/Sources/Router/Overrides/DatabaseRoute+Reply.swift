extension DatabaseRoute {
  /// What an override answers in place of the database.
  ///
  /// ```swift
  /// router.override(\.todos.fetch, with: .failure(Offline()))
  /// router.override(\.todos.fetchOne, with: .sequence(.failure(Offline()), .value(Todo.milk)))
  /// router.override(\.todos.save, with: .delayed(by: .seconds(1), .passThrough))
  /// ```
  ///
  /// A value stays the Swift value that it is: a call for its type, or for an array of it, gets that very value. A call
  /// for another type gets it by way of a row, as if it had been saved and read.
  ///
  /// Replies of replies (``sequence(_:)-(RouteReply...)``, ``delayed(by:_:)``, ``times(_:)``) nest up
  /// to 100 levels; a deeper one is a failure with the code ``RouterError/Code/invalidRoute``.
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
    /// The number of replies around the innermost one, which is bounded as that of filters is.
    private let depth: Int
    /// The number of calls that it has a reply for.
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

    /// A value; an array for several rows, an empty one or `nil` for none.
    public static func value(_ value: some Encodable & Sendable) -> Reply {
      Reply(.value(value))
    }

    /// The same as ``value(_:)``.
    public static func success(_ value: some Encodable & Sendable) -> Reply {
      Reply(.value(value))
    }

    /// It is done, and there are no rows: for calls that want nothing.
    public static func success() -> Reply { Reply(.response(Response())) }

    /// So many rows are written: for calls that want to know how many.
    public static func affected(_ count: Int) -> Reply {
      Reply(.response(Response(affected: count)))
    }

    /// Rows as a database gives them.
    public static func response(_ response: Response) -> Reply {
      Reply(.response(response))
    }

    /// An error, which the call throws.
    public static func failure(_ error: any Error) -> Reply { Reply(.failure(error)) }

    /// No answer: the next override answers, or the database.
    public static let passThrough = Reply(.passThrough)

    /// One reply after another, a call each; the last one goes on. With none it is ``passThrough``.
    public static func sequence(_ replies: Reply...) -> Reply { sequence(replies) }

    /// One reply after another, a call each; the last one goes on. With none it is ``passThrough``.
    public static func sequence(_ replies: [Reply]) -> Reply {
      Reply(.sequence(replies))
    }

    /// The reply after a while. A call that is cancelled meanwhile throws `CancellationError`.
    public static func delayed(by duration: Duration, _ reply: Reply) -> Reply {
      Reply(.delayed(duration, reply))
    }

    /// The reply so many times, a whole sequence too; then ``passThrough``.
    public func times(_ count: Int) -> Reply {
      .sequence(Array(repeating: self, count: max(0, count)) + [.passThrough])
    }
  }
}

extension DatabaseRoute.Reply {
  /// The reply to one of several calls, which are counted from 0: no sequence any more.
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

  /// A sum that is at most the largest number: sequences of sequences may have a reply for more
  /// calls.
  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, overflows) = a.addingReportingOverflow(b)
    return overflows ? .max : sum
  }
}
