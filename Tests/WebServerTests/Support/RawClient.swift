import Foundation
import Testing

/// A blocking socket that writes and reads bytes, off the actor. It gives up after five minutes.
struct RawClient: ~Copyable {
  private let descriptor: Int32

  init(port: Int) throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var timeout = timeval(tv_sec: 300, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(status == 0)
  }

  deinit { close(descriptor) }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent) }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// What arrives until it ends with `suffix`, or until the server closes.
  func read(until suffix: String? = nil) -> String {
    var bytes: [UInt8] = []
    while true {
      if let suffix, bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) { break }
      guard let byte = readBytes(1).first else { break }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// So many bytes, or fewer when the server closes.
  func readBytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let received = bytes.withUnsafeMutableBytes {
        recv(descriptor, $0.baseAddress.map { $0 + filled }, count - filled, 0)
      }
      // A process that is stopped and goes on ends a call with a timeout.
      if received < 0, errno == EINTR { continue }
      guard received > 0 else { break }
      filled += received
    }
    return Array(bytes[..<filled])
  }

  /// Opens a WebSocket.
  func openWebSocket() -> String {
    send(
      "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    return read(until: "\r\n\r\n")
  }
}
