import Essentials
import Testing

@testable import WebServer

@Suite struct PeerTimeoutTests {
  private func value(of option: Int32, _ level: Int32, _ descriptor: Int32) -> Int32 {
    var value: Int32 = -1
    var length = socklen_t(MemoryLayout.size(ofValue: value))
    getsockopt(descriptor, level, option, &value, &length)
    return value
  }

  @Test func `setPeerTimeout sets keep-alive probes and the TCP timeout`() {
    let descriptor = socket(AF_INET, streamSocketType, 0)
    defer { close(descriptor) }
    #expect(value(of: SO_KEEPALIVE, SOL_SOCKET, descriptor) == 0)
    setPeerTimeout(descriptor, .seconds(10))
    #expect(value(of: SO_KEEPALIVE, SOL_SOCKET, descriptor) != 0)
    let tcp = Int32(IPPROTO_TCP)
    let (interval, count) = (value(of: TCP_KEEPINTVL, tcp, descriptor), value(of: TCP_KEEPCNT, tcp, descriptor))
    #if canImport(Darwin)
      let idle = value(of: TCP_KEEPALIVE, tcp, descriptor)
      #expect(value(of: TCP_RXT_CONNDROPTIME, tcp, descriptor) == 10)
    #else
      let idle = value(of: TCP_KEEPIDLE, tcp, descriptor)
      #expect(value(of: TCP_USER_TIMEOUT, tcp, descriptor) == 10_000)
    #endif
    #expect(idle + interval * count == 11)
  }
}
