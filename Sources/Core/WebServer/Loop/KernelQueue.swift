import Essentials

#if canImport(Glibc)
  import CEpoll
#endif

/// The events of a descriptor that the kernel is asked to report.
struct DescriptorInterest: OptionSet {
  let rawValue: UInt8

  /// There are bytes to read, or the end.
  static let reading = DescriptorInterest(rawValue: 1)
  /// It accepts bytes.
  static let writing = DescriptorInterest(rawValue: 2)
}

/// The events that the kernel reports for a descriptor.
struct DescriptorReadiness: OptionSet {
  let rawValue: UInt8

  /// Bytes, or the end, can be read.
  static let readable = DescriptorReadiness(rawValue: 1)
  /// It accepts bytes.
  static let writable = DescriptorReadiness(rawValue: 2)
  /// The peer has gone, or the connection is broken. epoll reports this whatever the interest; kqueue reports it as
  /// readable or writable.
  static let broken = DescriptorReadiness(rawValue: 4)
}

// The events of many descriptors come from epoll on Linux, and from kqueue on macOS.

#if canImport(Glibc)
  /// A kernel queue of descriptor events. It is a descriptor itself, which is readable while the queue is not empty.
  struct KernelQueue {
    let descriptor: Int32

    /// Creates a queue; nil when the system has no resources for it.
    init?() {
      descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
      if descriptor < 0 { return nil }
    }

    /// Changes the events to report for a descriptor from `old` to `new`; nil means that it is not in the queue.
    /// Returns false when the system refuses.
    func change(
      _ descriptor: Int32, from old: DescriptorInterest?, to new: DescriptorInterest?
    ) -> Bool {
      var event = epoll_event()
      event.data.fd = descriptor
      if new?.contains(.reading) ?? false { event.events |= EPOLLIN.rawValue }
      if new?.contains(.writing) ?? false { event.events |= EPOLLOUT.rawValue }
      let operation = old == nil ? EPOLL_CTL_ADD : new == nil ? EPOLL_CTL_DEL : EPOLL_CTL_MOD
      return epoll_ctl(self.descriptor, operation, descriptor, &event) == 0
    }

    /// Calls `body` with each event. Events that are not handled are reported again.
    func take(_ body: (_ descriptor: Int32, DescriptorReadiness) -> Void) {
      withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 256) { events in
        let count = epoll_wait(descriptor, events.baseAddress, Int32(events.count), 0)
        for event in events.prefix(Int(max(count, 0))) {
          var readiness: DescriptorReadiness = []
          if event.events & EPOLLIN.rawValue != 0 { readiness.insert(.readable) }
          if event.events & EPOLLOUT.rawValue != 0 { readiness.insert(.writable) }
          if event.events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { readiness.insert(.broken) }
          body(event.data.fd, readiness)
        }
      }
    }
  }
#else
  /// A kernel queue of descriptor events. It is a descriptor itself, which is readable while the queue is not empty.
  struct KernelQueue {
    let descriptor: Int32

    /// Creates a queue; nil when the system has no resources for it.
    init?() {
      descriptor = kqueue()
      if descriptor < 0 { return nil }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Changes the events to report for a descriptor from `old` to `new`; nil means that it is not in the queue.
    /// Returns false when the system refuses.
    func change(
      _ descriptor: Int32, from old: DescriptorInterest?, to new: DescriptorInterest?
    ) -> Bool {
      let filters = [(DescriptorInterest.reading, EVFILT_READ), (.writing, EVFILT_WRITE)]
      for (interest, filter) in filters {
        let (was, will) = (old?.contains(interest) ?? false, new?.contains(interest) ?? false)
        guard was != will else { continue }
        var event = kevent(
          ident: UInt(descriptor), filter: Int16(filter), flags: UInt16(will ? EV_ADD : EV_DELETE), fflags: 0, data: 0,
          udata: nil)
        guard kevent(self.descriptor, &event, 1, nil, 0, nil) == 0 else { return false }
      }
      return true
    }

    /// Calls `body` with each event. Events that are not handled are reported again.
    func take(_ body: (_ descriptor: Int32, DescriptorReadiness) -> Void) {
      withUnsafeTemporaryAllocation(of: kevent.self, capacity: 256) { events in
        var now = timespec()
        let count = kevent(descriptor, nil, 0, events.baseAddress, Int32(events.count), &now)
        for event in events.prefix(Int(max(count, 0))) {
          body(Int32(truncatingIfNeeded: event.ident), Int32(event.filter) == EVFILT_READ ? .readable : .writable)
        }
      }
    }
  }
#endif
