internal import CFiles

/// What bytes come to, however they are cut into pieces: 64 bits that differ where the bytes do, unless someone has
/// tried to make them alike.
struct FileChecksum {
  private var state: holt_checksum

  init() {
    state = holt_checksum()
    unsafe holt_checksum_begin(&state)
  }

  /// How many bytes it is of.
  var count: Int64 { Int64(clamping: state.count) }

  var value: UInt64 {
    var state = state
    return unsafe holt_checksum_end(&state)
  }

  mutating func add(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe holt_checksum_add(&state, $0.baseAddress, $0.count) }
  }
}
