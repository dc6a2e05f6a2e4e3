extension Authority {
  /// Whether the host is an address in digits, which no name server has a say in.
  public var isAddress: Bool {
    host.hasPrefix("[") || Self.isIPv4Address(Array(host.utf8)[...])
  }

  /// Whether the host is this machine itself: `localhost`, or an address of RFC 1122, section 3.2.1.3, or RFC 4291, section 2.5.3.
  public var isLoopback: Bool {
    switch host {
    case "localhost", "[::1]", "[0:0:0:0:0:0:0:1]": true
    default: host.hasPrefix("127.") && isAddress
    }
  }
}
