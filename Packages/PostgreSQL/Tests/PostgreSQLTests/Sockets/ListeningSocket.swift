import Foundation

/// A socket that listens on a free port of the loopback interface.
enum ListeningSocket {
  struct Failure: Error {}

  static func open() throws -> (descriptor: Int32, port: Int) {
    #if canImport(Darwin)
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    guard descriptor >= 0 else { throw Failure() }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe bind(descriptor, generic, length) == 0 && listen(descriptor, 128) == 0
          && getsockname(descriptor, generic, &length) == 0
      }
    }
    guard isOpen else { throw Failure() }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }
}

extension ListeningSocket {
  /// Connects to a port of the loopback interface.
  static func connect(port: Int) throws -> Int32 {
    #if canImport(Darwin)
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe Foundation.connect(descriptor, generic, length) == 0
      }
    }
    guard isConnected else {
      close(descriptor)
      throw Failure()
    }
    return descriptor
  }
}
