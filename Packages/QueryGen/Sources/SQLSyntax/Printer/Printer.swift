/// Writes syntax trees as SQL, on one line, in one canonical form.
///
/// What it writes parses to a tree equal to the one written. Comments are not in the tree; where
/// they matter, use the source text of a node's span.
///
/// ```swift
/// Printer.text(of: statement)  // SELECT a FROM t WHERE b = 1
/// ```
public struct Printer {
  var text = ""

  /// The SQL of a statement, without a `;` at its end.
  public static func text(of statement: Statement) -> String {
    var printer = Printer()
    printer.write(statement)
    return printer.text
  }

  /// The SQL of a select.
  public static func text(of select: Select) -> String {
    var printer = Printer()
    printer.write(select)
    return printer.text
  }

  /// The SQL of an expression.
  public static func text(of expression: Expression) -> String {
    var printer = Printer()
    printer.write(expression)
    return printer.text
  }

  /// The SQL of a name, quoted as it was.
  public static func text(of identifier: Identifier) -> String {
    var printer = Printer()
    printer.write(identifier)
    return printer.text
  }

  mutating func write(_ piece: String) { text += piece }

  /// Writes a word and a space after it, if a condition holds.
  mutating func write(_ word: String, if condition: Bool) {
    if condition { text += word + " " }
  }

  /// Writes elements with a separator between them.
  mutating func write<Element>(
    _ elements: [Element], separator: String = ", ",
    _ writeElement: (inout Printer, Element) -> Void
  ) {
    var isFirst = true
    for element in elements {
      if !isFirst { text += separator }
      isFirst = false
      writeElement(&self, element)
    }
  }

  mutating func write(_ expressions: [Expression]) {
    write(expressions) { $0.write($1) }
  }

  mutating func write(_ names: [Identifier]) {
    write(names) { $0.write($1) }
  }

  mutating func write(_ name: Identifier) {
    switch name.quoting {
    case .bare: text += name.text
    case .double: writeQuoted(name.text, "\"")
    case .backtick: writeQuoted(name.text, "`")
    case .bracket: text += "[\(name.text)]"
    case .single: writeQuoted(name.text, "'")
    }
  }

  /// Writes a text between quotes, quotes inside it doubled.
  mutating func writeQuoted(_ content: String, _ quote: Character) {
    text.append(quote)
    for character in content.unicodeScalars {
      text.unicodeScalars.append(character)
      if Character(character) == quote { text.append(quote) }
    }
    text.append(quote)
  }

  mutating func write(_ name: QualifiedName) {
    if let schema = name.schema {
      write(schema)
      text += "."
    }
    write(name.name)
  }

  mutating func write(_ type: TypeName) {
    write(type.words, separator: " ") { $0.write($1) }
    if !type.arguments.isEmpty { text += "(\(type.arguments.joined(separator: ", ")))" }
  }

  mutating func writeAlias(_ alias: Identifier?) {
    guard let alias else { return }
    text += " AS "
    write(alias)
  }

  /// Writes ` (a, b)`, if there are any.
  mutating func writeColumns(_ columns: [Identifier]) {
    guard !columns.isEmpty else { return }
    text += " ("
    write(columns)
    text += ")"
  }
}
