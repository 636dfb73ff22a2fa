/// A row as it was read or saved, of whatever type.
///
/// It is an object: it is taken from what is known of an instance, and put in the place of another, without the row's being copied.
///
/// `@unchecked Sendable`: nothing is stored here, and what ``KeptRow`` stores never changes.
@usableFromInline
class AnyKeptRow: @unchecked Sendable {
  @usableFromInline
  init() {}

  /// The relations of the row, in the order in which they are encoded.
  var relations: [any AnyRelation] { [] }

  /// The row; `nil` where it is of another type.
  final func row<Row: Table>(as type: Row.Type) -> Row? { (self as? KeptRow<Row>)?.row }
}

/// A row as it was read or saved.
///
/// `@unchecked Sendable`: what it stores never changes.
@usableFromInline
final class KeptRow<Row: Table>: AnyKeptRow, @unchecked Sendable {
  @usableFromInline let row: Row

  @inlinable
  init(_ row: Row) {
    self.row = row
    super.init()
  }

  // One that can't be encoded is refused when its table is first used.
  override var relations: [any AnyRelation] { (try? RelationList.of(row)) ?? [] }
}
