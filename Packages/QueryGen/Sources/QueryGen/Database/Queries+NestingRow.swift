extension Queries {
  /// A row with lists, which is merged from several rows of a statement. A conforming type is
  /// generated for a query with `nest:`, and for each list whose elements have lists.
  public protocol NestingRow: RowDecodable {
    /// The identity of a merged row: statement rows with equal keys are merged, within the element
    /// that contains the list.
    associatedtype Key: Hashable
    /// The state of the lists while rows are read.
    associatedtype Lists: NestedLists<Self>

    static func key(of row: borrowing Row) throws(SQLiteError) -> Key
  }

  /// The lists of merged rows while a statement's rows are read.
  ///
  /// A list whose elements have lists is a ``NestedRowBuilder``. A list whose elements are repeated
  /// for those of other lists has ``ElementKeys``. Any other list needs no state.
  public protocol NestedLists<Value> {
    associatedtype Value

    init()

    /// Appends the list elements of a statement's row to a merged row.
    ///
    /// - Parameters:
    ///   - row: The statement's row.
    ///   - value: The merged row.
    ///   - place: The index of the merged row.
    mutating func append(row: borrowing Row, to value: inout Value, at place: Int) throws

    /// Appends the elements that have lists to the merged rows that contain them.
    mutating func finish(_ values: inout [Value])
  }

  /// The identity of an element within the element that contains its list.
  fileprivate struct NestedKey<Key: Hashable>: Hashable {
    var parent: Int
    var key: Key
  }

  /// Merges statement rows with equal keys, whether or not they are adjacent.
  public struct NestedRowBuilder<Value: NestingRow> {
    private var values: [Value] = []
    /// The index of the row that contains each value.
    private var parents: [Int] = []
    private var places: [NestedKey<Value.Key>: Int] = [:]
    /// The key and index of the previous row. Adjacent rows of a join mostly share a key.
    private var last: (key: NestedKey<Value.Key>, place: Int)?
    private var lists = Value.Lists()

    public init() {}

    /// Adds a statement's row.
    ///
    /// - Parameters:
    ///   - row: The statement's row.
    ///   - parent: The index of the merged row that contains the list.
    public mutating func add(_ row: borrowing Row, in parent: Int = 0) throws {
      let key = NestedKey(parent: parent, key: try Value.key(of: row))
      let place: Int
      if let last, last.key == key {
        place = last.place
      } else if let known = places[key] {
        place = known
      } else {
        place = values.count
        places[key] = place
        values.append(try Value(row: row))
        parents.append(parent)
      }
      last = (key, place)
      try lists.append(row: row, to: &values[place], at: place)
    }

    /// Passes each merged row to `body`, in the order in which its key first occurred, with the
    /// index of the row that contains it.
    public mutating func finish(_ body: (Int, Value) -> Void) {
      lists.finish(&values)
      for (parent, value) in zip(parents, values) { body(parent, value) }
    }
  }

  /// The keys of a list's elements, of which each is appended only once.
  public struct ElementKeys<Key: Hashable> {
    private var keys: Set<NestedKey<Key>> = []
    /// The key of the previous row.
    private var last: NestedKey<Key>?

    public init() {}

    /// Returns whether the list of a merged row lacks an element with this key, and adds the key.
    ///
    /// - Parameters:
    ///   - key: The element's key.
    ///   - parent: The index of the merged row.
    public mutating func insert(_ key: Key, in parent: Int) -> Bool {
      let key = NestedKey(parent: parent, key: key)
      guard last != key else { return false }
      last = key
      return keys.insert(key).inserted
    }
  }
}

extension Queries.NestedLists {
  public mutating func finish(_ values: inout [Value]) {}
}

extension Connection {
  /// Reads every row, and merges rows with equal keys, whether or not they are adjacent. The
  /// results are in the order in which each key first occurs.
  ///
  /// - Complexity: O(*n*) in the number of the statement's rows.
  public func fetchNested<Value: Queries.NestingRow, each Argument: SQLiteBindable>(
    _ type: Value.Type, _ sql: SQL, _ arguments: repeat each Argument
  ) throws -> [Value] {
    var rows = Queries.NestedRowBuilder<Value>()
    try forEach(sql, repeat each arguments) { row in try rows.add(row) }
    return rows.finished()
  }

  /// Reads every row, and merges rows with equal keys. Takes the arguments as an array.
  public func fetchNested<Value: Queries.NestingRow>(
    _ type: Value.Type, _ sql: SQL, values: [any SQLiteBindable]
  ) throws -> [Value] {
    var rows = Queries.NestedRowBuilder<Value>()
    try forEach(sql, values: values) { row in try rows.add(row) }
    return rows.finished()
  }
}

extension Queries.NestedRowBuilder {
  /// Returns the merged rows of a statement.
  fileprivate mutating func finished() -> [Value] {
    lists.finish(&values)
    return values
  }
}

extension Row {
  /// Returns whether all the given columns are NULL.
  public func areNull(at columns: ColumnIndex...) throws(SQLiteError) -> Bool {
    for column in columns where try !isNull(at: column) { return false }
    return true
  }
}
