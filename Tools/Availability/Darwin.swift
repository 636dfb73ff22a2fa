// Declarations of Apple's module for type checking. This code is never run.
@_exported import CDarwin

public var errno: Int32 {
  get { 0 }
  set {}
}

public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { 0 }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { 0 }
public func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 { 0 }
public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 { 0 }

public var QOS_CLASS_USER_INITIATED: qos_class_t { qos_class_t() }
public var QOS_CLASS_DEFAULT: qos_class_t { qos_class_t() }
public var QOS_CLASS_UTILITY: qos_class_t { qos_class_t() }
public var QOS_CLASS_BACKGROUND: qos_class_t { qos_class_t() }

extension qos_class_t: Equatable {
  public static func == (one: qos_class_t, other: qos_class_t) -> Bool { true }
}

public var S_IFMT: mode_t { 0 }
public var S_IFREG: mode_t { 0 }
public var S_IFDIR: mode_t { 0 }
public var S_IFIFO: mode_t { 0 }
public var S_IFSOCK: mode_t { 0 }

public func pthread_create(
  _ thread: UnsafeMutablePointer<pthread_t?>, _ attributes: UnsafePointer<pthread_attr_t>?,
  _ body: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
  _ argument: UnsafeMutableRawPointer?
) -> Int32 { 0 }
public func pthread_setname_np(_ name: UnsafePointer<CChar>) -> Int32 { 0 }
