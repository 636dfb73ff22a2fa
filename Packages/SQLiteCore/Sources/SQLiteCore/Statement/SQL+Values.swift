internal import Primitives

/// Values for the parameters in the text.
extension SQL {
  /// Binds values to the parameters in the text, in their order.
  ///
  /// Use this for a fragment, or if the number of values is only known at run time:
  ///
  /// ```swift
  /// let condition = SQL("score BETWEEN ? AND ?", values: [10, 20])
  /// let names = try connection.values(
  ///   String.self, "SELECT name FROM player WHERE team = \(team) AND \(sql: condition)")
  /// ```
  ///
  /// A numbered parameter, such as `?2`, receives the value of that number.
  ///
  /// - Parameters:
  ///   - sql: The text. Its interpolated values stay bound.
  ///   - values: A value for each unbound parameter. If the numbers differ, running the SQL throws
  ///     ``SQLiteError`` with code ``SQLiteError/Code/parameterCount``.
  public init(_ sql: SQL, values: [any SQLiteBindable & Sendable]) {
    self = sql.binding { (parameters) throws(SQLiteError) in
      let indexes = try SQLParameter.valueIndexes(of: parameters)
      let expected = (indexes.max() ?? -1) + 1
      guard expected == values.count else {
        throw .parameterCount(expected: expected, given: values.count)
      }
      return indexes.map { values[$0] }
    }
  }

  /// Binds values to the parameters in the text, by name.
  ///
  /// ```swift
  /// let team = try connection.fetchAll(
  ///   Player.self,
  ///   SQL("SELECT id, name FROM player WHERE team = :team AND score > :least", named: ["team": 3, "least": 100]))
  /// ```
  ///
  /// - Parameters:
  ///   - sql: The text. Its interpolated values stay bound.
  ///   - values: The values by parameter name, with or without the `:`, `@` or `$`. Running the SQL
  ///     throws ``SQLiteError`` with code ``SQLiteError/Code/unknownParameter`` if the text has no
  ///     parameter of a name, and with code ``SQLiteError/Code/parameterCount`` if a parameter has
  ///     no value or two values.
  public init(_ sql: SQL, named values: [String: any SQLiteBindable & Sendable]) {
    self = sql.binding { (parameters) throws(SQLiteError) in
      let count = Set(parameters.map(\.name)).count
      guard count == values.count else {
        throw .parameterCount(expected: count, given: values.count)
      }
      var valuesByParameter: [String: any SQLiteBindable & Sendable] = [:]
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        guard let spelling = SQLParameter.spelling(of: name, in: parameters) else {
          throw .unknownParameter(name)
        }
        // Two names may refer to one parameter: `a` and `:a`.
        guard valuesByParameter.updateValue(value, forKey: spelling) == nil else {
          throw .parameterCount(expected: count, given: count - 1)
        }
      }
      var bound: [any SQLiteBindable & Sendable] = []
      for parameter in parameters {
        guard let value = valuesByParameter[parameter.name] else {
          throw SQLiteError(
            code: .parameterCount, message: "the parameter \(parameter.name) has no value",
            offset: SQLiteError.ByteOffset(rawValue: parameter.offset))
        }
        bound.append(value)
      }
      return bound
    }
  }

  /// Replaces each unbound parameter by one that is bound to a value that `choose` returns.
  private func binding(
    _ choose: ([SQLParameter]) throws(SQLiteError) -> [any SQLiteBindable & Sendable]
  ) -> SQL {
    let composition = composition
    let parameters = ownParameters()
    do throws(SQLiteError) {
      let chosen = try choose(parameters)
      var pieces = composition.values.map { (offset: $0.offset, length: 1, value: $0.value) }
      pieces += zip(parameters, chosen).map { ($0.offset, $0.name.utf8.count, $1) }
      pieces.sort { $0.offset < $1.offset }
      var (text, values, position) = ("", [SQLComposition.Value](), 0)
      let bytes = composition.text.utf8
      func copy(upTo end: Int) {
        text += String(Substring(bytes.dropFirst(position).prefix(end - position)))
      }
      for piece in pieces {
        copy(upTo: piece.offset)
        values.append(SQLComposition.Value(offset: text.utf8.count, value: piece.value))
        text += "?"
        position = piece.offset + piece.length
      }
      copy(upTo: bytes.count)
      return SQL(
        storage: .composed(SQLComposition(text: text, values: values, error: composition.error)))
    } catch {
      return SQL(
        storage: .composed(
          SQLComposition(
            text: composition.text, values: composition.values, error: composition.error ?? error)))
    }
  }

  /// The parameters that have no value.
  func ownParameters() -> [SQLParameter] {
    guard case .composed(let composition) = storage else { return SQLParameter.all(in: text) }
    guard composition.hasOwnParameters else { return [] }
    let bound = Set(composition.values.map(\.offset))
    return SQLParameter.all(in: composition.text).filter { !bound.contains($0.offset) }
  }

  /// Returns the text and the values of all parameters in their order.
  ///
  /// For code that runs or changes the text itself. A ``Connection`` runs SQL directly.
  ///
  /// - Parameter arguments: The values of the parameters in the text. If no value is interpolated,
  ///   their number is not checked here: SQLite checks it when the statement runs.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misplacedInterpolation``,
  ///   ``SQLiteError/Code/parameterCount`` or ``SQLiteError/Code/unknownParameter``; with code
  ///   ``SQLiteError/Code/parameterInText`` if a named or numbered parameter is mixed with
  ///   interpolated values.
  public func resolved(
    with arguments: [any SQLiteBindable] = []
  ) throws(SQLiteError) -> (text: String, values: [any SQLiteBindable]) {
    let text = try checkedText()
    guard case .composed(let composition) = storage else { return (text, arguments) }
    if composition.values.isEmpty { return (text, arguments) }
    if !composition.hasOwnParameters && arguments.isEmpty {
      return (text, composition.values.map(\.value))
    }
    let own = ownParameters()
    if let parameter = own.first(where: { $0.name != "?" }) {
      throw SQLiteError(
        code: .parameterInText,
        message:
          "parameter \(parameter.name) can't be mixed with interpolated values: use `?` instead",
        sql: text, offset: SQLiteError.ByteOffset(rawValue: parameter.offset))
    }
    guard own.count == arguments.count else {
      throw .parameterCount(expected: own.count, given: arguments.count, sql: text)
    }
    var values = composition.values.map {
      (offset: $0.offset, value: $0.value as any SQLiteBindable)
    }
    values += zip(own, arguments).map { ($0.offset, $1) }
    values.sort { $0.offset < $1.offset }
    return (text, values.map(\.value))
  }
}

/// A parameter in a text: `?`, `?2`, `:name`, `@name`, `#name` or `$name`.
struct SQLParameter {
  /// The parameter as the text spells it.
  let name: String
  let offset: Int

  /// Finds the parameters of a text, in their order.
  static func all(in text: String) -> [SQLParameter] {
    let bytes = Array(text.utf8)
    var parameters: [SQLParameter] = []
    var start = 0
    while let token = SQLToken.next(in: bytes.elementSpan, from: start) {
      if token.kind == .parameter {
        let name = String(decoding: bytes[token.range], as: UTF8.self)
        parameters.append(SQLParameter(name: name, offset: token.range.lowerBound))
      }
      start = token.range.upperBound
    }
    return parameters
  }

  /// The indexes of the parameters' values, numbered as SQLite numbers parameters.
  ///
  /// https://www.sqlite.org/lang_expr.html#varparam
  static func valueIndexes(of parameters: [SQLParameter]) throws(SQLiteError) -> [Int] {
    var indexes: [Int] = []
    var indexesByName: [String: Int] = [:]
    var next = 0
    for parameter in parameters {
      let index: Int
      if parameter.name == "?" {
        index = next
      } else if parameter.name.hasPrefix("?") {
        guard let number = Int(parameter.name.dropFirst()), number > 0 else {
          throw .unknownParameter(parameter.name, offset: parameter.offset)
        }
        index = number - 1
      } else {
        index = indexesByName[parameter.name] ?? next
        indexesByName[parameter.name] = index
      }
      indexes.append(index)
      next = max(next, index + 1)
    }
    return indexes
  }

  /// Returns the text's spelling of the parameter with a name.
  static func spelling(of name: String, in parameters: [SQLParameter]) -> String? {
    [name, ":\(name)", "@\(name)", "$\(name)"].first { spelling in
      parameters.contains { $0.name == spelling }
    }
  }
}
