@_spi(Formats) internal import Providers

enum HoltXML {
  static func read(_ document: XMLDocument) throws -> Work {
    let bytes = document.bytes()
    let watch = Stopwatch()
    var reader = try XMLEventReader(bytes: bytes)
    var sum: UInt64 = 0
    while let event = try reader.next() {
      switch event {
      case .startElement:
        sum &+= 1
        for index in 0..<reader.attributeCount {
          reader.withAttribute(at: index) { touch($0, &sum) }
        }
      case .text: reader.withText { touch($0, &sum) }
      default: break
      }
    }
    return Work(checksum: sum, time: watch.time, counts: [Work.bytes: Double(bytes.count)])
  }

  static func open(_ document: XMLDocument) throws -> Work {
    let (path, count) = (try document.path(), document.bytes().count)
    let watch = Stopwatch()
    let provider = XMLProvider()
    try provider.openSource(atPath: path, readOnly: true)
    let groups = try provider.query(
      "SELECT \"@kind\", count(*), sum(price) FROM item GROUP BY 1")
    try provider.closeSource()
    precondition(groups.count == 8, "the document has eight kinds of items")
    return Work(checksum: nil, time: watch.time, counts: [Work.bytes: Double(count)])
  }

  private static func touch(_ text: Span<UInt8>, _ sum: inout UInt64) {
    sum &+= UInt64(text.count)
    for index in text.indices { sum &+= UInt64(text[index]) }
  }
}
