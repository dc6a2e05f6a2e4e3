import BridgeRuntime
import Essentials

/// The addresses that a proxy must not connect to, whatever name resolves to them.
public struct ForbiddenDestinations: Sendable, Hashable {
  /// Why an address is forbidden.
  public enum Reason: Sendable, Hashable, CustomStringConvertible {
    /// A server of this process listens there.
    case itself
    /// The address is link-local, or that of a cloud's metadata service.
    case linkLocal
    /// The address is a loopback address.
    case loopback
    /// A name that does not say so stands for a loopback address, or for one of a private network.
    case privateName

    /// The reason, as a clause for the end of a sentence.
    public var description: String {
      switch self {
      case .itself: "a proxy does not connect to itself"
      case .linkLocal: "its address is link-local or a cloud's metadata service"
      case .loopback: "its address is that of the proxy's own machine"
      case .privateName: "the name stands for an address of the proxy's own machine or of its private network"
      }
    }
  }

  private let isEmpty: Bool
  private let includesLoopback: Bool

  /// No address is forbidden.
  public static let none = ForbiddenDestinations(isEmpty: true, includesLoopback: false)
  /// For a proxy whose clients are on its own machine. Forbids connections to itself, to link-local addresses and to
  /// metadata services, and names that stand for addresses of this machine or of private networks: whoever owns a name
  /// decides what it stands for. `localhost` and addresses say what they are.
  public static let ofLocalProxy = ForbiddenDestinations(isEmpty: false, includesLoopback: false)
  /// For a proxy with clients on other machines. Also forbids loopback addresses, which those clients cannot reach
  /// themselves.
  public static let ofRemoteProxy = ForbiddenDestinations(isEmpty: false, includesLoopback: true)

  /// Why an address is forbidden; nil if it is allowed.
  ///
  /// - Parameter name: The name or address that has led to it.
  @BridgeActor
  func reason(against address: SocketAddress, of name: String) -> Reason? {
    guard !isEmpty else { return nil }
    let host = address.hostBytes
    if host.isLinkLocal || host.isMetadataService { return .linkLocal }
    guard host.isOwnMachine || host.isPrivate else { return nil }
    if host.isOwnMachine, address.port.map({ Listener.ports.contains($0) }) ?? true { return .itself }
    if includesLoopback, host.isOwnMachine { return .loopback }
    return Self.saysWhatItIs(name) ? nil : .privateName
  }

  /// Whether a host is an address, or a name of this machine by itself (RFC 6761, section 6.3).
  private static func saysWhatItIs(_ host: String) -> Bool {
    var address = in6_addr()
    if inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1 { return true }
    let labels = host.lowercased().split(separator: ".")
    return labels.last == "localhost"
  }

  /// Whether a connected socket leads to a server of this process, through any address of this machine.
  @BridgeActor
  func areOwn(_ descriptor: Int32, port: Int) -> Bool {
    guard !isEmpty, Listener.ports.contains(port) else { return false }
    return SocketAddress(of: descriptor, getpeername)?.hostBytes
      == SocketAddress(of: descriptor, getsockname)?.hostBytes
  }
}

/// The IP address of a host as the 16 bytes of an IPv6 address. An IPv4 address is mapped (RFC 4291, section 2.5.5.2).
struct HostBytes: Hashable, Sendable {
  let bytes: [UInt8]

  /// The IPv4 addresses that this IPv6 address may contain: mapped, translated (NAT64, RFC 6052), tunnelled (6to4, RFC
  /// 3056) or compatible (RFC 4291, section 2.5.5.1). A local prefix of NAT64 (RFC 8215) does not say where the address
  /// stands.
  private var ipv4: [[UInt8]] {
    let zeros = [UInt8](repeating: 0, count: 10)
    let last = Array(bytes.suffix(4))
    if bytes.starts(with: zeros + [0xFF, 0xFF]) { return [last] }
    if bytes.starts(with: [0, 0x64, 0xFF, 0x9B] + zeros.dropLast(2)) { return [last] }
    if bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 1]) {
      // After a prefix of 48, 56, 64 or 96 bits. The ninth byte is not a part of it (RFC 6052, section 2.2). What is
      // not a part of the address is zero.
      return [[6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12], [12, 13, 14, 15]].map { $0.map { bytes[$0] } }
        .filter { $0[0] != 0 }
    }
    if bytes.starts(with: [0x20, 0x02]) { return [Array(bytes[2..<6])] }
    // IPv4-compatible addresses, `::a.b.c.d`, are deprecated, but systems still connect to them. `::` and `::1` are
    // none.
    if bytes.starts(with: zeros + [0, 0]), bytes[12] != 0 { return [last] }
    return []
  }

  /// Whether the address is link-local (RFC 3927; RFC 4291, section 2.5.6).
  var isLinkLocal: Bool {
    ipv4.contains { $0.starts(with: [169, 254]) } || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
  }

  /// Whether the address is that of a cloud's metadata service and not link-local: Amazon over IPv6, Alibaba, Azure and
  /// Oracle.
  var isMetadataService: Bool {
    if bytes == [0xFD, 0, 0x0E, 0xC2] + [UInt8](repeating: 0, count: 10) + [0x02, 0x54] { return true }
    return ipv4.contains([100, 100, 100, 200]) || ipv4.contains([168, 63, 129, 16]) || ipv4.contains([192, 0, 0, 192])
  }

  /// Whether the address is one of a private network (RFC 1918, RFC 6598, RFC 2544, RFC 4193).
  var isPrivate: Bool {
    ipv4.contains { part in
      switch (part[0], part[1]) {
      case (10, _), (172, 16...31), (192, 168), (100, 64...127), (198, 18...19): true
      default: false
      }
    } || bytes[0] & 0xFE == 0xFC
  }

  /// Whether the address is loopback, or unspecified (`0.0.0.0`, `::`), which systems treat as loopback.
  var isOwnMachine: Bool {
    ipv4.contains { $0[0] == 127 || $0[0] == 0 } || bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] <= 1
  }
}

extension SocketAddress {
  /// The address of one end of a connected socket; nil if the system does not report it. `name` is `getpeername` or
  /// `getsockname`.
  init?(
    of descriptor: Int32,
    _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout.size(ofValue: storage))
    let status = withUnsafeMutableBytes(of: &storage) { bytes in
      bytes.baseAddress.map { name(descriptor, $0.assumingMemoryBound(to: sockaddr.self), &length) } ?? -1
    }
    guard status == 0 else { return nil }
    let bytes = withUnsafeBytes(of: &storage) { Array($0.prefix(Int(length))) }
    self.init(family: Int32(storage.ss_family), bytes: bytes)
  }

  /// The port; nil for an address without one.
  var port: Int? { bytes.count >= 4 ? Int(bytes[2]) << 8 | Int(bytes[3]) : nil }

  /// The address without the port; zeros if it is not an IP address.
  var hostBytes: HostBytes {
    switch family {
    // After the family and the port.
    case AF_INET where bytes.count >= 8:
      HostBytes(bytes: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes[4..<8])
    // After the family, the port and the flow label.
    case AF_INET6 where bytes.count >= 24: HostBytes(bytes: Array(bytes[8..<24]))
    default: HostBytes(bytes: [UInt8](repeating: 0, count: 16))
    }
  }
}
