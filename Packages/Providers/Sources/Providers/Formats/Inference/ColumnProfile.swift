/// What all values of a column have in common, gathered one by one.
///
/// Values are texts, of which ``add(text:)`` says what they look like, or have types already. Texts that do not agree make
/// a column of texts, since that keeps each as it is. Values that do not agree make a column without a declared type,
/// since SQLite then keeps each as it is.
///
/// ```swift
/// var profile = ColumnProfile()
/// profile.add(text: "17".utf8.span)
/// profile.addNull()
/// profile.type  // .integer
/// profile.isNullable  // true
/// ```
@_spi(Formats) public struct ColumnProfile: Sendable {
  /// The type of a column.
  public enum ColumnType: String, Hashable, Sendable {
    case integer = "INTEGER", real = "REAL", boolean = "BOOLEAN"
    /// Texts as ISO 8601 has them.
    case date = "DATE", dateTime = "DATETIME"
    case text = "TEXT"
  }

  /// Whether a value occurs twice.
  public enum Uniqueness: Hashable, Sendable {
    case unique, repeated
    /// There were too many to be remembered.
    case unknown
  }

  private struct Kinds: OptionSet {
    let rawValue: UInt16
    static let integer = Kinds(rawValue: 1)
    /// An integer that no `Double` is.
    static let longInteger = Kinds(rawValue: 2)
    static let real = Kinds(rawValue: 4)
    static let boolean = Kinds(rawValue: 8)
    static let date = Kinds(rawValue: 16)
    static let dateTime = Kinds(rawValue: 32)
    /// A text that looks like nothing else.
    static let text = Kinds(rawValue: 64)
    /// A value that is a text.
    static let textValue = Kinds(rawValue: 128)
    /// A number that is kept as text.
    static let longNumber = Kinds(rawValue: 256)
    /// An object or array that is kept as text.
    static let container = Kinds(rawValue: 512)
    static let values: Kinds = [.textValue, .longNumber, .container]
  }

  /// How many values there are, `NULL` among them.
  public private(set) var count = 0
  /// How many of them are `NULL`.
  public private(set) var nullCount = 0
  /// The bytes of the longest text.
  public private(set) var longestText = 0
  private var kinds: Kinds = []
  private var hasValues = false
  private var isUnique = true
  /// Integers that follow each other: they need not be remembered one by one.
  private var run: ClosedRange<Int64>?
  private var integers: Set<Int64> = []
  /// The hashes of texts. Two that are the same may be those of different texts, which then are taken for one.
  private var texts: Set<Int> = []
  private let rememberedCount: Int

  private var isRemembering: Bool
  private let remembersTexts: Bool

  /// - Parameters:
  ///   - remembersTexts: Whether texts too are remembered, to find those that occur twice: ask for it where the column is
  ///     named `id`. Integers always are.
  ///   - rememberedCount: How many values are remembered. Integers that follow each other count as one.
  public init(remembersTexts: Bool = false, rememberedCount: Int = 1_000_000) {
    self.remembersTexts = remembersTexts
    self.rememberedCount = rememberedCount
    isRemembering = rememberedCount > 0
  }

  // MARK: Adding

  public mutating func addNull() { addNulls(1) }

  /// Adds as many `NULL`s, as where a column is first seen in a later row.
  public mutating func addNulls(_ count: Int) {
    self.count += count
    nullCount += count
  }

  /// Adds a text that may say something else, as a field of CSV does.
  public mutating func add(text: Span<UInt8>) {
    count &+= 1
    if text.count > longestText { longestText = text.count }
    // What is text already stays text, whatever comes.
    if kinds.contains(.text), !isRemembering { return }
    switch TextKind(text) {
    case .integer(let value): note(value)
    case .real: insert(.real)
    case .boolean: insert(.boolean)
    case .date: insert(.date)
    case .dateTime: insert(.dateTime)
    case .text:
      kinds.insert(.text)
      if isRemembering { remember(text) }
    }
  }

  public mutating func add(integer: Int64) {
    count &+= 1
    hasValues = true
    note(integer)
  }

  public mutating func add(real: Double) {
    add(.real)
  }

  public mutating func add(boolean: Bool) {
    add(.boolean)
  }

  /// Adds a value that is a text, whatever it looks like.
  public mutating func add(textValue: Span<UInt8>) {
    count &+= 1
    hasValues = true
    kinds.insert(.textValue)
    if textValue.count > longestText { longestText = textValue.count }
    if isRemembering { remember(textValue) }
  }

  /// Adds a number that is kept as text, since no type holds it.
  public mutating func addLongNumber(length: Int) {
    add(.longNumber)
    if length > longestText { longestText = length }
  }

  /// Adds an object or array that is kept as text.
  public mutating func addContainer(length: Int) {
    add(.container)
    if length > longestText { longestText = length }
  }

  private mutating func add(_ kind: Kinds) {
    count &+= 1
    hasValues = true
    insert(kind)
  }

  /// Notes a kind whose values are not compared.
  private mutating func insert(_ kind: Kinds) {
    kinds.insert(kind)
    if isRemembering { stopRemembering() }
  }

  private mutating func note(_ value: Int64) {
    kinds.insert(Int64(exactly: Double(value)) == value ? .integer : .longInteger)
    guard isRemembering else { return }
    guard let run else {
      self.run = value...value
      return
    }
    if value > run.upperBound, value &- 1 == run.upperBound, !integers.contains(value) {
      self.run = run.lowerBound...value
    } else if run.contains(value) || !integers.insert(value).inserted {
      repeats()
    } else {
      checkRemembered()
    }
  }

  private mutating func remember(_ text: Span<UInt8>) {
    guard remembersTexts else { return stopRemembering() }
    var hasher = Hasher()
    var at = 0
    while at &+ 8 <= text.count {
      hasher.combine(text.word(at: at))
      at &+= 8
    }
    while at < text.count {
      hasher.combine(text[at])
      at &+= 1
    }
    if texts.insert(hasher.finalize()).inserted { checkRemembered() } else { repeats() }
  }

  private mutating func repeats() {
    isUnique = false
    stopRemembering()
  }

  private mutating func checkRemembered() {
    guard integers.count + texts.count > rememberedCount else { return }
    stopRemembering()
  }

  private mutating func stopRemembering() {
    isRemembering = false
    integers = []
    texts = []
  }

  // MARK: What it comes to

  /// The type to declare; `nil` where values do not agree, or are objects, arrays or numbers that no type holds: then a
  /// column without a type keeps each as it is.
  ///
  /// A column of integers and other numbers is real if every integer is one that a `Double` is. One that has nothing
  /// but `NULL` is text if it was text that could have been anything, and has no type otherwise.
  public var type: ColumnType? {
    var kinds = kinds
    if kinds.contains(.longInteger), kinds.isSubset(of: [.integer, .longInteger]) {
      kinds = .integer
    }
    switch kinds {
    case .integer: return .integer
    case .real, [.real, .integer]: return .real
    case .boolean: return .boolean
    case .date: return .date
    case .dateTime, [.date, .dateTime]: return .dateTime
    case .text, .textValue: return .text
    default: return hasValues ? nil : .text
    }
  }

  public var isNullable: Bool { nullCount > 0 }

  /// Whether every value is an object or array.
  public var isContainers: Bool { kinds == .container }

  /// Whether a value occurs twice, of integers and texts. Others are not compared.
  public var uniqueness: Uniqueness {
    if !isUnique { return .repeated }
    return isRemembering ? .unique : .unknown
  }

  /// Whether the column can be the primary key: it has no `NULL`, no value twice, and holds integers, or texts under the
  /// name `id`.
  public func isCandidateKey(named name: String) -> Bool {
    guard count > 0, !isNullable, uniqueness == .unique else { return false }
    return type == .integer || type == .text && name.lowercased() == "id"
  }
}
