internal import Primitives

/// A reference to an object that is copied without being counted, and finds nothing once the object is
/// recalled or gone.
///
/// It is for the containers of `Codable`, which the standard library copies for each key that is
/// asked: counting there costs more than reading the column does.
///
/// What it points to is a cell that is never freed but lent again later, under another number. So a
/// reference that is kept finds a cell, whose number is not its own. The object is used only within
/// ``withObject(else:_:)``, on the thread of its lender.
@safe struct Loan<Object: AnyObject> {
  private let cell: Unmanaged<LoanCell<Object>>
  private let number: UInt

  fileprivate init(_ cell: LoanCell<Object>) {
    unsafe self.cell = .passUnretained(cell)
    number = unsafe cell.number
  }

  /// Runs `body` with the object, or throws the error where it was recalled.
  @inline(__always)
  func withObject<Result>(
    else expired: @autoclosure () -> any Error, _ body: (Object) throws -> Result
  ) throws -> Result {
    try unsafe cell._withUnsafeGuaranteedRef { cell in
      guard unsafe cell.number == number, let object = unsafe cell.object else { throw expired() }
      return try unsafe object._withUnsafeGuaranteedRef(body)
    }
  }
}

/// What lends an object: kept by the object itself, so that it ends no later than that.
@safe struct Lender<Object: AnyObject>: ~Copyable {
  private let pool: LoanPool<Object>
  private let cell: LoanCell<Object>

  init(_ pool: LoanPool<Object>) {
    self.pool = pool
    cell = pool.take()
  }

  deinit {
    recall()
    unsafe cell.object = nil
    pool.put(cell)
  }

  /// A reference to the object, which must be the one that keeps this lender.
  func lend(_ object: Object) -> Loan<Object> {
    unsafe cell.object = .passUnretained(object)
    return Loan(cell)
  }

  /// Makes all references so far find nothing.
  func recall() { unsafe cell.number &+= 1 }
}

/// Where cells wait for their next use.
final class LoanPool<Object: AnyObject>: Sendable {
  private let free = Mutex<[LoanCell<Object>]>([])

  fileprivate func take() -> LoanCell<Object> {
    if let cell = free.withLock({ $0.popLast() }) { return cell }
    let cell = LoanCell<Object>()
    // Never freed: references to it are not counted. There are as many as objects lent at one time.
    _ = unsafe Unmanaged.passRetained(cell)
    return cell
  }

  fileprivate func put(_ cell: LoanCell<Object>) { free.withLock { $0.append(cell) } }
}

// `number` and `object` are used by the thread of the one lender that has the cell; the pool's lock
// stands between two lenders. They are only read and assigned, so that nobody finds them in use.
@safe private final class LoanCell<Object: AnyObject>: @unchecked Sendable {
  @exclusivity(unchecked) var number: UInt = 0
  @exclusivity(unchecked) var object: Unmanaged<Object>?
}
