/// The configuration of connections. The defaults are safe.
///
/// ```swift
/// var configuration = PostgreSQLConfiguration(host: "db.example.org", database: "shop", user: "app")
/// configuration.password = password
/// let database = PostgreSQLDatabase(configuration)
/// ```
public struct PostgreSQLConfiguration: Sendable {
  /// The servers, in the order in which they are tried.
  public var hosts: [Host]
  public var database: String
  public var user: String
  /// The password, or `nil` to use the password file of libpq, if there is one.
  public var password: String?
  /// The name of the program in the server's views and logs.
  public var applicationName = "Holt"
  /// The encryption of connections. By default, the certificate of a server that is not on this machine must be valid.
  public var tls = TLS.automatic
  /// The required state of the server, which selects one of several hosts.
  ///
  /// With several hosts and ``TargetSession/primary`` or ``TargetSession/readWrite``, a primary is not used if another
  /// host has a newer timeline: it was replaced by a standby, and has been restarted since.
  public var targetSession = TargetSession.any
  /// The time limit of connecting to one address.
  public var connectTimeout: Duration = .seconds(10)
  /// The time limit of a statement, or `nil` for none. A statement that takes longer is cancelled, and throws an error
  /// with code ``PostgreSQLError/Code/timedOut``.
  public var statementTimeout: Duration?
  /// The time after which a TCP connection to a server that acknowledges nothing ends.
  public var tcpUserTimeout: Duration = .seconds(30)
  /// The time that a cancelled statement has to end, after which its connection is closed.
  public var cancellationTimeout: Duration = .seconds(5)
  /// The use of prepared statements.
  public var statements = StatementMode.prepared
  /// The number of prepared statements that each connection caches.
  public var statementCacheCapacity = 256
  /// Indicates whether errors contain values: the server's details, and messages that it composes from data.
  public var showsValuesInErrors = false
  /// Indicates whether the server accepts commands for replication on the connection.
  var isReplication = false
  /// Receives the server's notices, on the task that uses the connection.
  public var onNotice: (@Sendable (PostgreSQLNotice) -> Void)?

  /// The number of connections that a pool keeps open when they are not used.
  public var minimumConnectionCount = 0
  /// The maximum number of a pool's connections.
  public var maximumConnectionCount = 10
  /// The time limit of waiting for a connection of a pool.
  public var acquisitionTimeout: Duration = .seconds(30)
  /// The age at which a pool replaces a connection, or `nil` for none.
  public var maximumConnectionAge: Duration? = .seconds(3_600)
  /// The time after which a pool closes an unused connection beyond the minimum, or `nil` for never.
  public var maximumIdleTime: Duration? = .seconds(300)

  /// Indicates whether sessions refuse writes.
  var isReadOnly = false
  /// Indicates whether connections are distributed among the hosts.
  var triesHostsInRandomOrder = false

  /// Creates a configuration for one server.
  ///
  /// - Parameters:
  ///   - host: A host name, an address, or the folder of a Unix socket.
  ///   - port: The port, which is also a part of a Unix socket's name.
  ///   - database: The name of the database.
  ///   - user: The name of the role.
  public init(host: String, port: Int = 5_432, database: String, user: String) {
    hosts = [Host(host, port: port)]
    self.database = database
    self.user = user
  }

  /// A server.
  public struct Host: Hashable, Sendable {
    /// A host name, an address, or the folder of a Unix socket.
    public var name: String
    public var port: Int

    public init(_ name: String, port: Int = 5_432) {
      self.name = name
      self.port = port
    }

    var isSocketFolder: Bool { name.hasPrefix("/") || name.hasPrefix("@") }

    var isLoopback: Bool {
      name == "localhost" || name == "::1" || name.hasPrefix("127.")
    }
  }

  /// The encryption of connections.
  public enum TLS: Hashable, Sendable {
    /// ``verifyFull(rootCertificate:)`` with the system's certificates. On this machine, encryption is used if the server
    /// offers it, without a check.
    case automatic
    case disabled
    /// Encryption without a check of the certificate, which does not protect against an attacker on the network.
    case unverified
    /// Encryption, with a certificate that the authority has issued for any host.
    case verifyAuthority(rootCertificate: RootCertificate = .system)
    /// Encryption, with a certificate that the authority has issued for the host's name.
    case verifyFull(rootCertificate: RootCertificate = .system)
  }

  /// The certificates of the authorities that are trusted.
  public enum RootCertificate: Hashable, Sendable {
    /// The certificates that the system trusts.
    case system
    /// A file in PEM format.
    case file(String)
  }

  /// The state of a server.
  public enum TargetSession: String, Hashable, Sendable, CaseIterable {
    case any
    /// The server accepts writes.
    case readWrite = "read-write"
    /// Transactions are read-only by default, or the server is a standby.
    case readOnly = "read-only"
    /// The server is not a standby.
    case primary
    case standby
    /// A standby if one of the hosts is a standby, otherwise any host.
    case preferStandby = "prefer-standby"
  }

  /// The use of prepared statements.
  public enum StatementMode: Hashable, Sendable {
    /// Statements are prepared once for each connection. If a pooler like PgBouncer turns out to move the connection
    /// between servers, later statements are sent as with ``unnamed``.
    case prepared
    /// Each use sends the text, in one exchange with the server. For poolers in transaction mode.
    case unnamed
  }
}

extension PostgreSQLConfiguration {
  /// Creates a configuration from a URL: `postgres://user:password@host:5432/database`.
  ///
  /// Several hosts are separated by commas. Of libpq's parameters, `sslmode`, `sslrootcert`, `target_session_attrs`,
  /// `application_name`, `host`, `port`, `user`, `password`, `dbname` and `connect_timeout` are used. `sslmode` can be
  /// `disable`, `require`, `verify-ca` or `verify-full`.
  ///
  /// - Throws: ``PostgreSQLError`` with code ``PostgreSQLError/Code/invalidConfiguration`` if the URL is invalid or has
  ///   another parameter. The message does not contain the URL.
  public init(url: String) throws(PostgreSQLError) {
    let options = try ConnectionHandle.options(ofURL: url)
    func invalid(_ message: String) -> PostgreSQLError {
      PostgreSQLError(code: .invalidConfiguration, message: message)
    }
    let user = options["user"] ?? "postgres"
    self.init(host: "localhost", database: options["dbname"] ?? user, user: user)
    password = options["password"]
    let names =
      options["host"]?.split(separator: ",", omittingEmptySubsequences: false) ?? ["localhost"]
    let ports = options["port"]?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    guard ports.count <= 1 || ports.count == names.count else {
      throw invalid("the numbers of hosts and ports differ")
    }
    hosts = []
    for (index, name) in names.enumerated() {
      let text = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
      guard let port = text.isEmpty ? 5_432 : Int(text), (1...65_535).contains(port) else {
        throw invalid("the port is not a number from 1 to 65535")
      }
      hosts.append(Host(name.isEmpty ? "localhost" : String(name), port: port))
    }
    let root = options["sslrootcert"].map { RootCertificate.file($0) } ?? .system
    switch options["sslmode"] {
    case nil: if options["sslrootcert"] != nil { tls = .verifyFull(rootCertificate: root) }
    case "disable": tls = .disabled
    case "require": tls = .unverified
    case "verify-ca": tls = .verifyAuthority(rootCertificate: root)
    case "verify-full": tls = .verifyFull(rootCertificate: root)
    default: throw invalid("sslmode must be disable, require, verify-ca or verify-full")
    }
    if let name = options["target_session_attrs"] {
      guard let target = TargetSession(rawValue: name) else {
        throw invalid("target_session_attrs is not one of PostgreSQL's values")
      }
      targetSession = target
    }
    if let name = options["application_name"] { applicationName = name }
    if let seconds = options["connect_timeout"] {
      guard let seconds = Int(seconds), seconds > 0 else {
        throw invalid("connect_timeout is not a number of seconds")
      }
      connectTimeout = .seconds(seconds)
    }
    let known: Set = [
      "user", "password", "host", "port", "dbname", "sslmode", "sslrootcert",
      "target_session_attrs",
      "application_name", "connect_timeout",
    ]
    if let unknown = options.keys.sorted().first(where: { !known.contains($0) }) {
      throw invalid("the URL has the parameter \(unknown), which is not supported")
    }
  }
}
