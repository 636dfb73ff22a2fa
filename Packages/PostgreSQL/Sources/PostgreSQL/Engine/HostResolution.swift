#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Resolves host names on a dedicated thread, since libpq would block while it resolves them.
enum HostResolution {
  /// Returns the numeric addresses of a host, or a description of the failure.
  static func addresses(of host: String) async -> Result<[String], Failure> {
    await BlockingThread.run { resolve(host) }
  }

  struct Failure: Error {
    let message: String
  }

  private static func resolve(_ host: String) -> Result<[String], Failure> {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    #if canImport(Glibc)
      unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      unsafe hints.ai_socktype = SOCK_STREAM
    #endif
    var list: UnsafeMutablePointer<addrinfo>?
    let failure = unsafe getaddrinfo(host, nil, &hints, &list)
    guard failure == 0 else {
      return .failure(Failure(message: unsafe String(cString: gai_strerror(failure))))
    }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [String] = []
    var next = unsafe list
    while let info = unsafe next {
      var text = [CChar](repeating: 0, count: 1_025)
      let length = socklen_t(text.count)
      if unsafe getnameinfo(
        info.pointee.ai_addr, info.pointee.ai_addrlen, &text, length, nil, 0, NI_NUMERICHOST) == 0
      {
        let address = String(
          decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if !addresses.contains(address) { addresses.append(address) }
      }
      unsafe next = unsafe info.pointee.ai_next
    }
    return .success(addresses)
  }
}
