/// The address of a string literal, which identifies its text: literals are never released.
@safe struct LiteralAddress: Hashable {
  private let address: UInt
  private let count: Int

  init(_ literal: StaticString) {
    address = unsafe UInt(bitPattern: literal.utf8Start)
    count = literal.utf8CodeUnitCount
  }
}
