import Essentials

#if canImport(Glibc)
  import CEpoll
#endif

// The differences between the systems. Everything else in this module is the same on all of them.

#if canImport(Glibc)
  let streamSocketType = Int32(SOCK_STREAM.rawValue)
  private let descriptorResource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
  let streamSocketType = SOCK_STREAM
  private let descriptorResource = RLIMIT_NOFILE
#endif

/// The time of a monotonic clock, in milliseconds.
func monotonicMilliseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}

/// How many descriptors the process may have open (RLIMIT_NOFILE); 256 if the system does not say.
func descriptorLimit() -> Int {
  var limit = rlimit()
  return getrlimit(descriptorResource, &limit) == 0 ? Int(clamping: limit.rlim_cur) : 256
}

/// Whether a new descriptor is among the last that the process may have open, by default 1/64 of them: the system always
/// uses the lowest free number. Close such a descriptor if a client has caused it to be opened. The last ones are for the
/// server itself, such as its store. Without any, a monitor thread of Swift's runtime, and the dispatch library, end the
/// process.
func isAmongTheLast(_ descriptor: Int32, share: Int = 64) -> Bool {
  let limit = descriptorLimit()
  return Int(descriptor) >= limit - limit / share
}

/// Raises the limit of open descriptors as far as the system permits, since shells set a low one.
func raiseDescriptorLimit(to wanted: Int) {
  var limit = rlimit()
  guard getrlimit(descriptorResource, &limit) == 0, Int(clamping: limit.rlim_cur) < wanted else { return }
  limit.rlim_cur = min(limit.rlim_max, rlim_t(wanted))
  setrlimit(descriptorResource, &limit)
}

/// Makes a descriptor non-blocking, and closes it when the process executes another program.
func makeNonBlocking(_ descriptor: Int32) {
  _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}

/// Accepts the next connection of a listening socket. Returns its non-blocking descriptor; negative on failure, with
/// the reason in `errno`.
func acceptNonBlocking(on listener: Int32) -> Int32 {
  #if canImport(Glibc)
    return accept4(listener, nil, nil, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
  #else
    let connection = accept(listener, nil, nil)
    if connection >= 0 { makeNonBlocking(connection) }
    return connection
  #endif
}

/// Selects congestion control without pacing (Reno) for the connections of a loopback listener. If the system uses BBR,
/// it would set a timer for each write.
func setUnpaced(_ listener: Int32) {
  #if canImport(Glibc)
    let name = "reno"
    setsockopt(listener, Int32(IPPROTO_TCP), TCP_CONGESTION, name, socklen_t(name.utf8.count))
  #endif
}

/// Turns off Nagle's algorithm, which delays small writes.
func setNoDelay(_ descriptor: Int32) {
  var one: Int32 = 1
  setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout.size(ofValue: one)))
}

/// Ends a connection when the peer's system has acknowledged nothing for this time, in whole seconds. While the
/// connection is silent, the system sends probes (TCP keep-alive).
func setPeerTimeout(_ descriptor: Int32, _ time: Duration) {
  let seconds = Int32(clamping: max(1, time.components.seconds))
  func set(_ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout.size(ofValue: value)))
  }
  let tcp = Int32(IPPROTO_TCP)
  set(SOL_SOCKET, SO_KEEPALIVE, 1)
  set(tcp, TCP_KEEPINTVL, max(1, seconds / 5))
  set(tcp, TCP_KEEPCNT, 3)
  #if canImport(Darwin)
    set(tcp, TCP_KEEPALIVE, max(1, seconds / 2))
    set(tcp, TCP_RXT_CONNDROPTIME, seconds)
  #else
    set(tcp, TCP_KEEPIDLE, max(1, seconds / 2))
    set(tcp, TCP_USER_TIMEOUT, seconds * 1000)
  #endif
}

/// How many bytes were passed to a socket that the peer's system has not acknowledged.
func unacknowledgedByteCount(_ descriptor: Int32) -> Int {
  var count: Int32 = 0
  #if canImport(Darwin)
    var length = socklen_t(MemoryLayout.size(ofValue: count))
    getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &length)
  #else
    _ = ioctl(descriptor, UInt(TIOCOUTQ), &count)
  #endif
  return Int(max(count, 0))
}

/// Whether the peer still has the connection open, as far as this system knows.
func isPeerThere(_ descriptor: Int32) -> Bool {
  var byte: UInt8 = 0
  let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
  return count > 0 || (count < 0 && errno == EAGAIN)
}

/// The path of an open file with all symbolic links resolved; nil when the system does not know it, or it is not UTF-8.
func resolvedPath(of descriptor: Int32) -> String? {
  var buffer = [UInt8](repeating: 0, count: 4097)
  #if canImport(Darwin)
    guard fcntl(descriptor, F_GETPATH, &buffer) == 0 else { return nil }
    let count = buffer.firstIndex(of: 0) ?? buffer.count
  #else
    let count = buffer.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map { readlink("/proc/self/fd/\(descriptor)", $0, bytes.count - 1) } ?? -1
    }
    guard count >= 0 else { return nil }
  #endif
  return String(validating: buffer[..<count], as: UTF8.self)
}

/// When the content of a file was last modified.
func modificationTime(of status: stat) -> timespec {
  #if canImport(Darwin)
    status.st_mtimespec
  #else
    status.st_mtim
  #endif
}

/// The IP address of a socket's peer without the port; nil for a socket that is not connected over IP.
func numericPeerAddress(of descriptor: Int32) -> String? {
  var address = sockaddr_storage()
  var length = socklen_t(MemoryLayout.size(ofValue: address))
  var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
  let status = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
    guard let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return -1 }
    guard getpeername(descriptor, pointer, &length) == 0 else { return -1 }
    guard [sa_family_t(AF_INET), sa_family_t(AF_INET6)].contains(pointer.pointee.sa_family) else { return -1 }
    return getnameinfo(pointer, length, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST)
  }
  guard status == 0 else { return nil }
  return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
