import BridgeServer
import Essentials
import HTTP1

/// The address at which other replicas reach this one.
package enum ReplicaAddress {
  /// The address: the value of `--replica-address`, or else the host that the server listens on. If the server listens on all addresses, it
  /// is the machine's first address that is not a loopback address.
  ///
  /// - Parameters:
  ///   - option: The value of the option; nil if it is not set. Without a port, it gets the port of the server.
  ///   - host: The host that the server listens on.
  ///   - port: The port.
  package static func address(_ option: String?, host: String, port: Int) -> String {
    if let option, let authority = Authority(option) {
      return authority.port == nil ? "\(option):\(port)" : option
    }
    let name = ListenAddress.isEvery(host) ? firstAddress() ?? "127.0.0.1" : host
    return name.contains(":") ? "[\(name)]:\(port)" : "\(name):\(port)"
  }

  /// The first address of the machine that others may reach. IPv4 comes first.
  private static func firstAddress() -> String? {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return nil }
    defer { freeifaddrs(list) }
    var found: [String] = []
    var next = list
    while let interface = next?.pointee {
      next = interface.ifa_next
      guard interface.ifa_flags & UInt32(IFF_LOOPBACK) == 0, interface.ifa_flags & UInt32(IFF_UP) != 0,
        let address = interface.ifa_addr, let text = text(of: address)
      else { continue }
      found.append(text)
    }
    return found.first { !$0.contains(":") } ?? found.first { !$0.hasPrefix("fe80:") }
  }

  private static func text(of address: UnsafeMutablePointer<sockaddr>) -> String? {
    let family = Int32(address.pointee.sa_family)
    let length = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
    guard family == AF_INET || family == AF_INET6 else { return nil }
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard getnameinfo(address, socklen_t(length), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
      return nil
    }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
