/// Counts the attributes of a tag that is not complete yet: libxml2 would compare each with each once it is.
struct XMLTagGuard {
  /// Where the tag begins that was counted, and how far it was.
  private var start = -1
  private var place = 0
  private var count = 0
  private var quote: UInt8 = 0
  private var isComplete = false

  /// How many attributes the tag at the window's beginning has so far; 0 where there is none.
  mutating func attributeCount(of window: XMLWindow) -> Int {
    if start != window.start || place > window.bytes.count {
      self = XMLTagGuard()
      start = window.start
    }
    guard !isComplete, window.isAtTag else { return 0 }
    for byte in window.bytes[place...] {
      if quote != 0 {
        if byte == quote { quote = 0 }
        continue
      }
      switch byte {
      case 0x22, 0x27: quote = byte
      case 0x3D: count += 1
      case 0x3E:
        isComplete = true
        return count
      default: break
      }
    }
    place = window.bytes.count
    return count
  }
}
