extension DatabaseRoute {
  /// One term of an order.
  ///
  /// Where NULLs stand is always said, so that each database gives the same order.
  public struct Order: Hashable, Sendable, Codable {
    public var column: Column
    public var ascending: Bool
    public var nullsFirst: Bool
    /// How texts are compared: `NOCASE`, say; `nil` for how the column is declared.
    public var collation: String?

    public init(
      column: Column, ascending: Bool = true, nullsFirst: Bool = false, collation: String? = nil
    ) {
      self.column = column
      self.ascending = ascending
      self.nullsFirst = nullsFirst
      self.collation = collation
    }

    /// The lowest first.
    public static func ascending(
      _ column: Column, nullsFirst: Bool = false, collation: String? = nil
    ) -> Order {
      Order(column: column, nullsFirst: nullsFirst, collation: collation)
    }

    /// The highest first.
    public static func descending(
      _ column: Column, nullsFirst: Bool = false, collation: String? = nil
    ) -> Order {
      Order(column: column, ascending: false, nullsFirst: nullsFirst, collation: collation)
    }
  }
}

extension DatabaseRoute.Column {
  /// The lowest first.
  public func ascending(nullsFirst: Bool = false) -> DatabaseRoute.Order {
    .ascending(self, nullsFirst: nullsFirst)
  }

  /// The highest first.
  public func descending(nullsFirst: Bool = false) -> DatabaseRoute.Order {
    .descending(self, nullsFirst: nullsFirst)
  }
}
