extension Session {
  /// Connects to the first host that accepts a connection and has the required state.
  ///
  /// - Throws: ``PostgreSQLError`` with code ``PostgreSQLError/Code/connectionFailed``, whose message lists the failure of
  ///   each host; `CancellationError`.
  static func connect(
    _ configuration: PostgreSQLConfiguration, shared: SharedSessionState
  ) async throws -> Session {
    let targets: [PostgreSQLConfiguration.TargetSession] =
      configuration.targetSession == .preferStandby
      ? [.standby, .any] : [configuration.targetSession]
    var failures: [String] = []
    for target in targets {
      // With a second try, only its failures are of interest.
      failures = []
      let hosts = configuration.hosts
      for host in configuration.triesHostsInRandomOrder ? hosts.shuffled() : hosts {
        switch await addresses(of: host) {
        case .failure(let failure): failures.append("\(host.name): \(failure.message)")
        case .success(let addresses):
          for address in addresses {
            try Task.checkCancellation()
            do {
              let session = try await connect(
                configuration, to: host, address: address, target: target, shared: shared)
              do {
                try await session.checkTimeline(of: host, target)
              } catch {
                await session.close()
                throw error
              }
              return session
            } catch let error as PostgreSQLError {
              failures.append("\(host.name) port \(host.port): \(error.message)")
            }
          }
        }
      }
    }
    throw PostgreSQLError(
      code: .connectionFailed, message: "no connection: " + failures.joined(separator: "; "))
  }

  private static func addresses(
    of host: PostgreSQLConfiguration.Host
  ) async -> Result<[String?], HostResolution.Failure> {
    if host.isSocketFolder { return .success([nil]) }
    return await HostResolution.addresses(of: host.name).map { $0 }
  }

  private static func connect(
    _ configuration: PostgreSQLConfiguration, to host: PostgreSQLConfiguration.Host,
    address: String?, target: PostgreSQLConfiguration.TargetSession, shared: SharedSessionState
  ) async throws -> Session {
    let parameters = try parameters(configuration, host, address, target)
    let handle = try ConnectionHandle(parameters: parameters)
    let waiter = Waiter.forSocket()
    let deadline = EventLoop.time(after: configuration.connectTimeout)
    do {
      try await withTaskCancellationHandler {
        try await finishConnecting(handle, waiter, deadline)
      } onCancel: {
        waiter.interrupt()
      }
    } catch {
      waiter.close()
      throw error
    }
    return Session(handle, waiter: waiter, configuration: configuration, shared: shared)
  }

  private static func finishConnecting(
    _ handle: ConnectionHandle, _ waiter: Waiter, _ deadline: UInt64
  ) async throws {
    // Before the first event, the socket must be writable.
    var interest = Waiter.Interest.write
    while true {
      guard let socket = handle.socket else {
        throw PostgreSQLError(code: .connectionFailed, message: handle.message)
      }
      switch await waiter.wait(for: interest, of: socket, until: deadline) {
      case .ready: break
      case .interrupted: throw CancellationError()
      case .timedOut:
        throw PostgreSQLError(code: .connectionFailed, message: "the server did not answer in time")
      case .failed:
        throw PostgreSQLError(
          code: .connectionFailed, message: "the system can't wait for the socket")
      }
      switch handle.continueConnecting() {
      case .needsInput: interest = .read
      case .needsOutput: interest = .write
      case .connected: return
      case .failed: throw PostgreSQLError(code: .connectionFailed, message: handle.message)
      }
    }
  }

  private static func parameters(
    _ configuration: PostgreSQLConfiguration, _ host: PostgreSQLConfiguration.Host,
    _ address: String?, _ target: PostgreSQLConfiguration.TargetSession
  ) throws(PostgreSQLError) -> [(name: String, value: String)] {
    var parameters = [
      ("host", host.name), ("port", String(host.port)), ("dbname", configuration.database),
      ("user", configuration.user), ("application_name", configuration.applicationName),
      ("client_encoding", "UTF8"), ("gssencmode", "disable"),
      ("target_session_attrs", target.rawValue),
    ]
    if let address { parameters.append(("hostaddr", address)) }
    if configuration.isReplication { parameters.append(("replication", "database")) }
    if let password = configuration.password { parameters.append(("password", password)) }
    if configuration.isReadOnly {
      parameters.append(("options", "-c default_transaction_read_only=on"))
    }
    if !host.isSocketFolder {
      let milliseconds = EventLoop.milliseconds(configuration.tcpUserTimeout)
      parameters.append(("tcp_user_timeout", String(milliseconds)))
      // Detects an unreachable server within a minute while no statement runs.
      parameters += [
        ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
      ]
    }
    switch configuration.tls {
    case .automatic where host.isSocketFolder || host.isLoopback:
      parameters.append(("sslmode", "prefer"))
    case .automatic: try addVerification("verify-full", .system, &parameters)
    case .disabled: parameters.append(("sslmode", "disable"))
    case .unverified:
      parameters.append(("sslmode", "require"))
    case .verifyAuthority(let root): try addVerification("verify-ca", root, &parameters)
    case .verifyFull(let root): try addVerification("verify-full", root, &parameters)
    }
    for (name, value) in parameters where value.utf8.contains(0) {
      throw PostgreSQLError(code: .invalidConfiguration, message: "\(name) contains NUL")
    }
    return parameters.map { (name: $0.0, value: $0.1) }
  }

  private static func addVerification(
    _ mode: String, _ root: PostgreSQLConfiguration.RootCertificate,
    _ parameters: inout [(String, String)]
  ) throws(PostgreSQLError) {
    parameters.append(("sslmode", mode))
    switch root {
    case .file(let path): parameters.append(("sslrootcert", path))
    case .system:
      // libpq 16 finds the system's certificates itself, for `verify-full` only.
      if ConnectionHandle.libraryVersion >= 160_000, mode == "verify-full" {
        parameters.append(("sslrootcert", "system"))
        return
      }
      let files = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem", "/opt/homebrew/etc/openssl@3/cert.pem",
      ]
      guard let file = files.first(where: { ConnectionHandle.canRead($0) }) else {
        throw PostgreSQLError(
          code: .invalidConfiguration,
          message: "the system's certificates were not found: pass a file as the root certificate")
      }
      parameters.append(("sslrootcert", file))
    }
  }
}
