internal import Primitives

/// The statements of a script, which are separated by semicolons outside of quotes, comments and parentheses.
///
/// ```swift
/// let script = PostgreSQLScript("SELECT ';'; SELECT $$;$$")
/// print(script.statements.count)  // 2
/// ```
///
/// The semicolons in the `BEGIN ATOMIC … END` body of a function are part of the statement. Creating a script never
/// fails: an open quote extends to the end of the text.
public struct PostgreSQLScript: Sendable {
  /// The statements, without those that consist of white space and comments.
  public let statements: [Statement]

  /// Finds the statements in a text.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  public init(_ text: String) {
    let bytes = Array(text.utf8)
    var (scanner, start, depth, blocks) = (QueryScanner(), 0, 0, 0)
    var (word, lastWord): ([UInt8], [UInt8]) = ([], [])
    var found: [Statement] = []
    func end(at index: Int) {
      guard Self.hasCode(bytes[start..<index]) else { return }
      found.append(Statement(bytes: Array(bytes[start..<index]), byteOffset: start))
    }
    for (index, byte) in bytes.enumerated() {
      let wasInCode = scanner.isInCode
      scanner.scan(byte)
      guard wasInCode, scanner.isInCode else {
        word = []
        continue
      }
      if byte.isNameByte {
        word.append(byte.asciiLowercased)
        continue
      }
      switch String(decoding: word, as: UTF8.self) {
      case "atomic" where lastWord.elementsEqual("begin".utf8): blocks += 1
      case "case" where blocks > 0: blocks += 1
      case "end" where blocks > 0: blocks -= 1
      default: break
      }
      if !word.isEmpty { (lastWord, word) = (word, []) }
      switch byte {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: ";") where depth <= 0 && blocks == 0:
        end(at: index)
        (start, depth, lastWord) = (index + 1, 0, [])
      default: break
      }
    }
    end(at: bytes.count)
    statements = found
  }

  private static func hasCode(_ bytes: ArraySlice<UInt8>) -> Bool {
    SQLTokens(String(decoding: bytes, as: UTF8.self)).count > 0
  }

  /// A statement of a script.
  public struct Statement: Sendable {
    private let bytes: [UInt8]
    /// The position of the statement's text in the script, in bytes of UTF-8.
    public let byteOffset: Int

    init(bytes: [UInt8], byteOffset: Int) {
      self.bytes = bytes
      self.byteOffset = byteOffset
    }

    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Replaces parameters with `$1`, `$2` and so on.
    ///
    /// - Parameters:
    ///   - names: The names of the parameters that are written as `:name`. A colon before another word is left unchanged.
    ///   - includesQuestionMarks: Whether each question mark outside of quotes is a parameter, too.
    public func numbered(
      names: Set<String>, includesQuestionMarks: Bool
    ) -> NumberedStatement {
      var result = NumberedStatement()
      var scanner = QueryScanner()
      var numbers: [String: Int] = [:]
      var output: [UInt8] = []
      var index = 0
      func append(_ parameter: NumberedStatement.Parameter, _ number: Int, length: Int) {
        if number > result.parameters.count { result.parameters.append(parameter) }
        output += Array("$\(number)".utf8)
        index += length
        result.positions.append((output.count, index))
        scanner.scan(UInt8(ascii: " "))
      }
      while index < bytes.count {
        let byte = bytes[index]
        if scanner.isInCode, byte == UInt8(ascii: "?"), includesQuestionMarks {
          append(.questionMark, result.parameters.count + 1, length: 1)
          continue
        }
        if scanner.isInCode, byte == UInt8(ascii: ":"),
          index == 0 || bytes[index - 1] != UInt8(ascii: ":")
        {
          let name = String(
            decoding: bytes[(index + 1)...].prefix { $0.isNameByte }, as: UTF8.self)
          if names.contains(name) {
            let number = numbers[name] ?? result.parameters.count + 1
            numbers[name] = number
            append(.named(name), number, length: 1 + name.utf8.count)
            continue
          }
        }
        scanner.scan(byte)
        output.append(byte)
        index += 1
      }
      result.text = String(decoding: output, as: UTF8.self)
      return result
    }
  }

  /// A statement with parameters such as `$1`, and the parameters that they replace.
  public struct NumberedStatement: Sendable {
    public enum Parameter: Hashable, Sendable {
      case questionMark
      case named(String)
    }

    public fileprivate(set) var text = ""
    /// The replaced parameters, in the order of their numbers.
    public fileprivate(set) var parameters: [Parameter] = []
    /// The ends of the parameters, in this text and in the original one.
    fileprivate var positions: [(new: Int, old: Int)] = []

    /// Returns the position in the original text that corresponds to a position in this text, both in bytes.
    public func originalOffset(_ offset: Int) -> Int {
      guard let last = positions.last(where: { $0.new <= offset }) else { return offset }
      return offset - last.new + last.old
    }
  }
}
