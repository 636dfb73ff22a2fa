internal import CLibPQ
internal import Primitives

/// Owns one `PGconn *`.
///
/// `@unchecked Sendable`: a connection's turn determines the task that calls its methods. Only ``cancel()`` may be called
/// by another thread, because it uses a `PGcancel` that never changes.
@safe final class ConnectionHandle: @unchecked Sendable {
  private let connection: OpaquePointer
  private var cancelHandle: OpaquePointer?
  private let notices: NoticeBuffer

  /// Starts to connect. The parameters are libpq's.
  init(parameters: [(name: String, value: String)]) throws(PostgreSQLError) {
    // One array contains all strings until libpq has copied them.
    var bytes: [CChar] = []
    var offsets: [(name: Int, value: Int)] = []
    for parameter in parameters {
      let name = bytes.count
      bytes += parameter.name.utf8CString
      offsets.append((name, bytes.count))
      bytes += parameter.value.utf8CString
    }
    let started: OpaquePointer? = unsafe bytes.withUnsafeBufferPointer { buffer in
      let names = unsafe offsets.map { unsafe buffer.baseAddress?.advanced(by: $0.name) } + [nil]
      let values = unsafe offsets.map { unsafe buffer.baseAddress?.advanced(by: $0.value) } + [nil]
      return unsafe PQconnectStartParams(names, values, 0)
    }
    guard let connection = unsafe started else {
      throw PostgreSQLError(code: .connectionFailed, message: "out of memory")
    }
    unsafe self.connection = connection
    notices = NoticeBuffer()
    unsafe PQsetNoticeReceiver(
      connection,
      { context, result in
        guard let context = unsafe context, let result = unsafe result else { return }
        let buffer = unsafe Unmanaged<NoticeBuffer>.fromOpaque(context).takeUnretainedValue()
        unsafe buffer.add(ResultHandle.notice(result))
      }, Unmanaged.passUnretained(notices).toOpaque())
  }

  deinit {
    unsafe PQfreeCancel(cancelHandle)
    unsafe PQfinish(connection)
  }

  // MARK: Connecting

  enum ConnectingState {
    case needsInput, needsOutput, connected, failed
  }

  func continueConnecting() -> ConnectingState {
    switch unsafe PQconnectPoll(connection) {
    case PGRES_POLLING_READING: return .needsInput
    case PGRES_POLLING_WRITING: return .needsOutput
    case PGRES_POLLING_OK:
      unsafe PQsetnonblocking(connection, 1)
      unsafe cancelHandle = PQgetCancel(connection)
      return .connected
    default: return .failed
    }
  }

  /// The socket, or `nil` if there is none. Can change while connecting.
  var socket: Int32? {
    let socket = unsafe PQsocket(connection)
    return socket < 0 ? nil : socket
  }

  /// Indicates whether the connection has failed.
  var hasFailed: Bool { unsafe PQstatus(connection) == CONNECTION_BAD }

  /// The message of libpq's last failure.
  var message: String { unsafe String(cString: PQerrorMessage(connection)).trimmedMessage }

  var isInTransaction: Bool {
    let status = unsafe PQtransactionStatus(connection)
    return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
  }

  var isIdle: Bool { unsafe PQtransactionStatus(connection) == PQTRANS_IDLE }

  /// The value of a setting that the server reports, such as `server_version`.
  func parameterStatus(_ name: String) -> String? {
    unsafe PQparameterStatus(connection, name).map { unsafe String(cString: $0) }
  }

  var processID: Int32 { unsafe PQbackendPID(connection) }

  var usesTLS: Bool { unsafe PQsslInUse(connection) != 0 }

  /// Requests that the server cancels the running statement. Blocks until the server has received the request.
  func cancel() {
    var message = [CChar](repeating: 0, count: 256)
    unsafe _ = PQcancel(cancelHandle, &message, Int32(message.count))
  }

  func takeNotices() -> [PostgreSQLNotice] { notices.take() }

  /// Indicates whether the server has announced that it ends the connection, which it does with a notice if no statement
  /// runs.
  var isEnding: Bool { notices.announcesEnd }

  // MARK: Sending

  func sendPrepare(_ name: String, _ sql: String) -> Bool {
    unsafe PQsendPrepare(connection, name, sql, 0, nil) != 0
  }

  func sendDescribe(_ name: String) -> Bool {
    unsafe PQsendDescribePrepared(connection, name) != 0
  }

  /// Sends statements without parameters, whose results are text.
  func sendScript(_ sql: String) -> Bool { unsafe PQsendQuery(connection, sql) != 0 }

  /// Sends a statement without parameters by the extended protocol, as pipelines require.
  func sendCommand(_ sql: String) -> Bool {
    unsafe PQsendQueryParams(connection, sql, 0, nil, nil, nil, nil, 1) != 0
  }

  /// Sends a statement with the parameters that `bytes` contains from `offset` on.
  func send(
    _ statement: PreparedStatement, _ bytes: borrowing ByteBuffer, from offset: Int = 0
  ) -> Bool {
    let count = statement.parameters.count
    guard count > 0, let start = unsafe bytes.pointer(at: 0) else {
      return unsafe send(statement, 0, nil, nil, nil)
    }
    // The start of each value, its length, and the format, which is binary.
    return unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) {
      values in
      unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * count) { numbers in
        var position = offset
        for index in 0..<count {
          let length = unsafe Int32(
            bigEndian: UnsafeRawPointer(start).loadUnaligned(
              fromByteOffset: position, as: Int32.self))
          position += 4
          unsafe values.initializeElement(at: index, to: length < 0 ? nil : start + position)
          unsafe numbers.initializeElement(at: index, to: max(length, 0))
          unsafe numbers.initializeElement(at: count + index, to: 1)
          position += Int(max(length, 0))
        }
        let lengths = numbers.baseAddress
        return unsafe send(
          statement, Int32(count), values.baseAddress, lengths, lengths?.advanced(by: count))
      }
    }
  }

  private func send(
    _ statement: PreparedStatement, _ count: Int32,
    _ values: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int32>?,
    _ formats: UnsafePointer<Int32>?
  ) -> Bool {
    if !statement.name.isEmpty {
      return unsafe PQsendQueryPrepared(
        connection, statement.name, count, values, lengths, formats, 1) != 0
    }
    let types = statement.parameters.types.map(\.rawValue)
    return unsafe PQsendQueryParams(
      connection, statement.sql, count, types, values, lengths, formats, 1) != 0
  }

  func setSingleRowMode() { unsafe _ = PQsetSingleRowMode(connection) }

  func enterPipeline() -> Bool { unsafe PQenterPipelineMode(connection) != 0 }

  func exitPipeline() -> Bool { unsafe PQexitPipelineMode(connection) != 0 }

  func sync() -> Bool { unsafe PQpipelineSync(connection) != 0 }

  enum FlushState {
    case done, pending, failed
  }

  /// Sends buffered output without blocking.
  func flush() -> FlushState {
    switch unsafe PQflush(connection) {
    case 0: .done
    case 1: .pending
    default: .failed
    }
  }

  // MARK: Receiving

  /// Reads the input that has arrived, without blocking.
  func consumeInput() -> Bool { unsafe PQconsumeInput(connection) != 0 }

  var isBusy: Bool { unsafe PQisBusy(connection) != 0 }

  /// The next result, or `nil` at the end of a statement's results. Blocks if the connection is busy.
  func nextResult() -> ResultHandle? {
    unsafe PQgetResult(connection).map { unsafe ResultHandle($0) }
  }

  /// Receives the results that have arrived, and passes their rows to `body` until it throws.
  ///
  /// - Parameter limit: The number of rows after which the method returns.
  func receive(
    _ reception: inout Reception, limit: Int = .max,
    _ body: (borrowing PostgreSQLRow) throws -> Void
  ) -> Reception.State {
    var passed = 0
    while unsafe PQisBusy(connection) == 0 {
      guard let result = unsafe PQgetResult(connection) else { return .complete }
      defer { unsafe PQclear(result) }
      switch unsafe PQresultStatus(result) {
      case PGRES_SINGLE_TUPLE, PGRES_TUPLES_OK:
        let count = unsafe PQntuples(result)
        if unsafe PQresultStatus(result) == PGRES_TUPLES_OK {
          unsafe reception.readTag(of: result)
        }
        if reception.bodyError != nil { break }
        let columns = unsafe reception.columns(of: result)
        for index in 0..<count {
          reception.rowCount += 1
          passed += 1
          do {
            try unsafe body(
              PostgreSQLRow(result, row: index, number: reception.rowCount, columns: columns))
          } catch {
            reception.bodyError = error
            break
          }
        }
        if passed >= limit { return .limitReached }
      case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: unsafe reception.readTag(of: result)
      case PGRES_COPY_IN: return .copyIn
      case PGRES_COPY_OUT: return .copyOut
      case PGRES_COPY_BOTH: return .copyIn
      default: unsafe reception.readError(of: result)
      }
    }
    return .needsInput
  }

  /// Receives the notifications that have arrived.
  func takeNotifications() -> [PostgreSQLNotification] {
    var notifications: [PostgreSQLNotification] = []
    while let notify = unsafe PQnotifies(connection) {
      unsafe notifications.append(
        PostgreSQLNotification(
          channel: String(cString: notify.pointee.relname),
          payload: String(cString: notify.pointee.extra), processID: notify.pointee.be_pid))
      unsafe PQfreemem(notify)
    }
    return notifications
  }

  // MARK: COPY

  enum CopyState {
    case done, pending, failed
  }

  /// Sends bytes of `COPY`. If the output is full, no byte is sent, and the state is `pending`.
  func putCopy(_ bytes: [UInt8]) -> CopyState {
    let sent = unsafe bytes.withUnsafeBytes { buffer in
      unsafe PQputCopyData(
        connection, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count))
    }
    return sent == 1 ? .done : sent == 0 ? .pending : .failed
  }

  func putCopy(_ bytes: borrowing ByteBuffer) -> CopyState {
    let sent = unsafe PQputCopyData(connection, bytes.pointer(at: 0), Int32(bytes.count))
    return sent == 1 ? .done : sent == 0 ? .pending : .failed
  }

  /// Ends `COPY`, with an error if there is a message.
  func endCopy(failure: String?) -> CopyState {
    let sent = unsafe PQputCopyEnd(connection, failure)
    return sent == 1 ? .done : sent == 0 ? .pending : .failed
  }

  enum CopiedRow {
    case row(CopyBuffer), needsInput, complete, failed
  }

  func nextCopiedRow() -> CopiedRow {
    var buffer: UnsafeMutablePointer<CChar>?
    let length = unsafe PQgetCopyData(connection, &buffer, 1)
    if length > 0, let buffer = unsafe buffer {
      return .row(unsafe CopyBuffer(buffer, count: Int(length)))
    }
    return length == 0 ? .needsInput : length == -1 ? .complete : .failed
  }
}

/// The state of a statement's results.
struct Reception {
  enum State {
    case needsInput, limitReached, complete, copyIn, copyOut
  }

  private let statement: PreparedStatement?
  private let sql: String?
  private let catalog: TypeCatalog
  private let showsValues: Bool
  private var checkedColumns: ResultColumns?
  var rowCount = 0
  private(set) var tag = ""
  private(set) var affectedCount = 0
  /// The server's first error.
  private(set) var error: PostgreSQLError?
  /// The error of the code that read the rows; the remaining rows are discarded.
  var bodyError: (any Error)?

  init(_ statement: PreparedStatement?, sql: String?, catalog: TypeCatalog, showsValues: Bool) {
    self.statement = statement
    self.sql = sql
    self.catalog = catalog
    self.showsValues = showsValues
  }
}

extension Reception {
  /// Returns the statement's columns, after a check at the first result that it has these.
  fileprivate mutating func columns(of result: OpaquePointer) -> ResultColumns {
    if let checkedColumns { return checkedColumns }
    let columns = unsafe matching(result, statement?.columns) ?? makeColumns(result)
    checkedColumns = columns
    return columns
  }

  /// Notes that the statement is a `COPY`, which needs its own method.
  mutating func setUnexpectedCopy() {
    error = PostgreSQLError(
      code: .unexpectedResult,
      message: "COPY needs the methods copy(into:columns:rows:) and copyRows",
      sql: sql)
  }

  /// Returns `columns` if the result has these.
  private func matching(_ result: OpaquePointer, _ columns: ResultColumns?) -> ResultColumns? {
    guard let columns, unsafe Int(PQnfields(result)) == columns.count else { return nil }
    for index in 0..<columns.count
    where unsafe PQftype(result, Int32(index)) != columns.types[index].rawValue {
      return nil
    }
    return columns
  }

  private func makeColumns(_ result: OpaquePointer) -> ResultColumns {
    var names: [String] = []
    var types: [PostgreSQLType] = []
    for index in unsafe 0..<PQnfields(result) {
      unsafe names.append(PQfname(result, index).map { unsafe String(cString: $0) } ?? "")
      unsafe types.append(PostgreSQLType(PQftype(result, index)))
    }
    return ResultColumns(sql: sql, names: names, types: types, catalog: catalog)
  }

  fileprivate mutating func readTag(of result: OpaquePointer) {
    unsafe tag = String(cString: PQcmdStatus(result))
    unsafe affectedCount = Int(String(cString: PQcmdTuples(result))) ?? 0
  }

  fileprivate mutating func readError(of result: OpaquePointer) {
    // A lost connection can be reported after the server's error.
    guard error == nil else { return }
    error = unsafe ResultHandle.error(of: result, sql: sql, showsValues: showsValues)
  }
}

/// The notices that libpq passed to its receiver, until they are delivered.
///
/// `@unchecked Sendable`: used by the task that has the connection's turn.
private final class NoticeBuffer: @unchecked Sendable {
  private var notices: [PostgreSQLNotice] = []
  private(set) var announcesEnd = false

  /// Notices are dropped beyond a limit, since a configuration without a receiver never takes them.
  func add(_ notice: PostgreSQLNotice) {
    if notice.code.endsConnection { announcesEnd = true }
    if notices.count < 1_000 { notices.append(notice) }
  }

  func take() -> [PostgreSQLNotice] {
    if notices.isEmpty { return [] }
    defer { notices = [] }
    return notices
  }
}

/// Owns the bytes of a row of `COPY`.
@safe final class CopyBuffer {
  private let buffer: UnsafeMutablePointer<CChar>
  private let count: Int

  init(_ buffer: UnsafeMutablePointer<CChar>, count: Int) {
    unsafe self.buffer = buffer
    self.count = count
  }

  deinit { unsafe PQfreemem(buffer) }

  /// Passes the bytes to `body`.
  func withBytes<Result>(
    _ body: (Span<UInt8>) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    let bytes = unsafe Span(
      _unsafeElements: UnsafeRawBufferPointer(start: buffer, count: count)
        .assumingMemoryBound(to: UInt8.self))
    return try body(bytes)
  }

  /// Passes the row to `body`; `nil` for the end of the rows.
  ///
  /// - Parameters:
  ///   - isFirst: Whether the bytes begin with the header of the format.
  ///   - number: The position of the row.
  ///   - columns: The columns of the rows.
  ///   - body: Reads the row.
  /// - Returns: Whether there was a row.
  func withRow(
    isFirst: Bool, number: Int, columns: ResultColumns,
    _ body: (borrowing PostgreSQLRow) throws -> Void
  ) throws -> Bool {
    let bytes = unsafe Span(
      _unsafeElements: UnsafeRawBufferPointer(start: buffer, count: count)
        .assumingMemoryBound(to: UInt8.self))
    // A signature of 11 bytes, flags, and the length of an extension.
    var offset = 0
    if isFirst {
      guard let extra = bytes.integer(Int32.self, at: 15), extra >= 0 else { throw Self.invalid() }
      offset = 19 + Int(extra)
    }
    guard offset < count else { return false }
    guard let fieldCount = bytes.integer(Int16.self, at: offset) else { throw Self.invalid() }
    if fieldCount == -1 { return false }
    guard Int(fieldCount) == columns.count else { throw Self.invalid() }
    offset += 2
    var ranges: [Range<Int>?] = []
    for _ in 0..<fieldCount {
      guard let length = bytes.integer(Int32.self, at: offset) else { throw Self.invalid() }
      offset += 4
      if length < 0 {
        ranges.append(nil)
      } else {
        guard offset + Int(length) <= count else { throw Self.invalid() }
        ranges.append(offset..<offset + Int(length))
        offset += Int(length)
      }
    }
    let row = unsafe PostgreSQLRow(
      copied: UnsafeRawPointer(buffer), ranges: ranges, number: number, columns: columns)
    try body(row)
    return true
  }

  private static func invalid() -> PostgreSQLError {
    PostgreSQLError(code: .invalidBytes, message: "the row of COPY has an invalid format")
  }
}
