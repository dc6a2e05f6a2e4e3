import Cluster
import OnsideServer
public import Sessions
import SiteServer

extension ServerOption {
  /// All options of the server, topic by topic.
  public static let all: [ServerOption] =
    SiteOptions.options + PhoneOptions.options + ProxyOptions.options + TrafficOptions.options + OnsideOptions.all
    + AccessOptions.options
    + TLSOptions.options + SessionOptions.options + StoreOptions.options + ClusterOptions.options
    + ProcessOptions.options

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The option with this key of `footbridge.yaml`; nil if there is none.
  static func named(_ key: String) -> ServerOption? { byName[key].flatMap { $0.key == nil ? nil : $0 } }
}
