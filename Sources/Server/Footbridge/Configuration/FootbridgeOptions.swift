import BridgeServer
public import Cluster
public import Sessions
public import SiteServer

/// All options of a server. The server checks them when it is created.
///
/// ```swift
/// var options = FootbridgeOptions()
/// options.root = "path/to/site"
/// options.onside = OnsideConfiguration(try StoreKitConfiguration(data: file))
/// options.onPage = { host in MyApp.register(on: host) }
/// ```
///
/// Each topic has a struct, in the module that uses it. The members of these structs are members of the options, too: `options.root` is
/// `options.site.root`.
@dynamicMemberLookup
public struct FootbridgeOptions: Sendable {
  /// The site: where its documents come from, upstream servers, https, records of the traffic, and who may use the server.
  public var site = SiteOptions()
  /// Sessions: the site's origins, what pages see, and what sessions begin with.
  public var sessions = SessionOptions()
  /// Where the state is between runs of the server.
  public var store = StoreOptions()
  /// The other servers on the same database.
  public var cluster = ClusterOptions()
  /// The server's process.
  public var process = ProcessOptions()
  /// The bridges: contracts between pages and their native host.
  public var bridges = BridgeList()
  /// What native sets before pages load.
  package var launch = LaunchData()
  /// A transcript (JSON Lines) that the dashboard shows first; nil for none.
  public var transcript: [UInt8]?
  /// The data that servers on one database share; nil for a server with a database of its own.
  var replicas: ReplicaSharing?

  /// Creates the default options.
  public init() {
    sessions.readRule = { try RuleNode(InputNode($0, source: "a stored rule"), $1).rule }
    sessions.readBridges = { OwnBridge.read($0, in: $1, on: $2) }
  }
}

/// The members of the topics.
extension FootbridgeOptions {
  /// A member of the topic `SiteOptions`.
  public subscript<Value>(dynamicMember member: WritableKeyPath<SiteOptions, Value>) -> Value {
    get { site[keyPath: member] }
    set { site[keyPath: member] = newValue }
  }

  /// A member of `SiteOptions` that cannot be set.
  public subscript<Value>(dynamicMember member: KeyPath<SiteOptions, Value>) -> Value { site[keyPath: member] }

  /// A member of the topic `PhoneOptions`.
  public subscript<Value>(dynamicMember member: WritableKeyPath<PhoneOptions, Value>) -> Value {
    get { site.phone[keyPath: member] }
    set { site.phone[keyPath: member] = newValue }
  }

  /// A member of the topic `ProxyOptions`.
  public subscript<Value>(dynamicMember member: WritableKeyPath<ProxyOptions, Value>) -> Value {
    get { site.upstream[keyPath: member] }
    set { site.upstream[keyPath: member] = newValue }
  }

  /// A member of the topic `TrafficOptions`.
  public subscript<Value>(dynamicMember member: WritableKeyPath<TrafficOptions, Value>) -> Value {
    get { site.traffic[keyPath: member] }
    set { site.traffic[keyPath: member] = newValue }
  }

  /// A member of the topic `TLSOptions`.
  public subscript<Value>(dynamicMember member: WritableKeyPath<TLSOptions, Value>) -> Value {
    get { site.tls[keyPath: member] }
    set { site.tls[keyPath: member] = newValue }
  }

  /// A member of the topic `AccessOptions`.
  public subscript<Value>(dynamicMember member: WritableKeyPath<AccessOptions, Value>) -> Value {
    get { site.access[keyPath: member] }
    set { site.access[keyPath: member] = newValue }
  }

  /// A member of the topic `SessionOptions`.
  public subscript<Value>(dynamicMember member: WritableKeyPath<SessionOptions, Value>) -> Value {
    get { sessions[keyPath: member] }
    set { sessions[keyPath: member] = newValue }
  }

  /// A member of the topic `StoreOptions`.
  public subscript<Value>(dynamicMember member: WritableKeyPath<StoreOptions, Value>) -> Value {
    get { store[keyPath: member] }
    set { store[keyPath: member] = newValue }
  }

  /// A member of the topic `ClusterOptions`.
  public subscript<Value>(dynamicMember member: WritableKeyPath<ClusterOptions, Value>) -> Value {
    get { cluster[keyPath: member] }
    set { cluster[keyPath: member] = newValue }
  }

  /// A member of the topic `ProcessOptions`.
  public subscript<Value>(dynamicMember member: WritableKeyPath<ProcessOptions, Value>) -> Value {
    get { process[keyPath: member] }
    set { process[keyPath: member] = newValue }
  }
}
