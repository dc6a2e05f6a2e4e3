import Foundation

/// A server that was not written for us: it takes one connection after another on a thread of its own and does with each what a closure
/// says, with blocking calls.
final class ScriptedServer: Sendable {
  /// One accepted connection.
  struct Connection: Sendable {
    let descriptor: Int32

    /// Reads up to and with the empty line after a head; empty when the peer has closed the connection.
    func readHead() -> String {
      var head = ""
      var byte: UInt8 = 0
      while !head.hasSuffix("\r\n\r\n"), read(descriptor, &byte, 1) == 1 {
        head.append(Character(Unicode.Scalar(byte)))
      }
      return head
    }

    /// Reads exactly so many bytes, or fewer at the end.
    func readBytes(_ count: Int) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: count)
      var filled = 0
      while filled < count {
        let read = bytes.withUnsafeMutableBytes { buffer in
          buffer.baseAddress.map { Foundation.read(descriptor, $0 + filled, count - filled) } ?? 0
        }
        if read <= 0 { break }
        filled += read
      }
      return Array(bytes[..<filled])
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count <= 0 { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  let port: Int
  private let descriptor: Int32

  init(_ serve: @escaping @Sendable (_ connection: Connection, _ number: Int) -> Void) {
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, type, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutableBytes(of: &address) { bytes in
      guard let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return }
      _ = bind(descriptor, pointer, length)
      _ = listen(descriptor, 16)
      _ = getsockname(descriptor, pointer, &length)
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    self.descriptor = descriptor
    signal(SIGPIPE, SIG_IGN)
    Thread.detachNewThread {
      var number = 0
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else {
          close(descriptor)
          return
        }
        serve(Connection(descriptor: connection), number)
        close(connection)
        number += 1
      }
    }
  }

  /// Listens no longer. A server that is not closed lives as long as the process.
  func stop() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}
