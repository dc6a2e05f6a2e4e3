package import Sessions

/// What is set about the other servers on the same database.
public struct ClusterOptions: Sendable {
  /// The address at which other servers on the same database reach this one, such as `10.0.0.5:8080`. Nil takes the server's host and port,
  /// or an address of the machine if the server listens on all addresses.
  public var replicaAddress: String?
  /// The time that a server on a shared database keeps its sessions without reaching the database. After that, others take them over.
  public var replicaLease: Duration = .seconds(10)

  package init() {}
}

extension ServerOption {
  package static let replicaAddress = ServerOption(
    "replicaAddress", .text, "host:port",
    help:
      "The address at which other servers on the same PostgreSQL database reach this one. (default: its host and port)")
  package static let replicaLease = ServerOption(
    "replicaLease", .text, "seconds",
    help: "How long this server keeps its sessions without reaching that database. (default: 10)")
}

/// How the options are read.
extension ClusterOptions {
  package static let options: [ServerOption] = [.replicaAddress, .replicaLease]

  package init(_ values: OptionValues) throws(OptionError) {
    replicaAddress = values[.replicaAddress]?.value
    if let lease = try values.seconds(.replicaLease, in: 1...3600) { replicaLease = lease }
  }
}
