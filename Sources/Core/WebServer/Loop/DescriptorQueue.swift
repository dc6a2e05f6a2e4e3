import BridgeRuntime
import CLibwebsockets
import Essentials
import HeapModule

/// Watches the descriptors that this module reads and writes itself, in one kernel queue. libwebsockets' loop watches
/// that queue.
///
/// libwebsockets could watch each descriptor. But it searches its table of all possible descriptors whenever one is
/// closed, keeps its timers in one sorted list, and cannot release a descriptor to another owner without making libev
/// rebuild its tables.
///
/// Sending, changes of interest and closing are postponed to ``settle()``: the end of a turn of the loop, or of a round
/// of jobs.
@BridgeActor
final class DescriptorQueue {
  /// A time in milliseconds at which to check a descriptor's timer. By then, the timer may have changed, or the number
  /// may belong to another descriptor.
  private struct Alarm: Comparable {
    let time: Int64
    let descriptor: Int32
    let generation: Int

    static func < (one: Alarm, other: Alarm) -> Bool { one.time < other.time }
  }

  /// The name of the protocol with which libwebsockets watches the kernel queue.
  private static let protocolName = "footbridge-descriptors"

  private let kernel: KernelQueue
  private let host: VirtualHost
  private var wsi: OpaquePointer?
  /// The watched descriptors, by their numbers.
  private var watched: [RawDescriptor?] = []
  private var generation = 0
  private var alarms = Heap<Alarm>()
  /// When the loop's timer fires; nil while it is not set.
  private var nextAlarm: Int64?
  private var unflushed: [RawDescriptor] = []
  private var changed: [RawDescriptor] = []
  private var ended: [RawDescriptor] = []

  /// Creates the queue, which the loop then watches.
  ///
  /// - Throws: ``HTTPServerError/loopUnavailable``.
  init(loop: EventLoop) throws {
    guard let kernel = KernelQueue() else { throw HTTPServerError.loopUnavailable }
    self.kernel = kernel
    host = try VirtualHost(loop: loop, subprotocols: [Self.protocolName]) { _, reason, _, _, _ in
      BridgeActor.assumeIsolated(reason) { reason in
        switch reason {
        case LWS_CALLBACK_RAW_RX_FILE: EventLoop.descriptors?.becameReadable()
        case LWS_CALLBACK_TIMER:
          EventLoop.descriptors?.timerFired()
          EventLoop.runJobsSoon()
        default: break
        }
      }
      return 0
    }
    wsi = host.pointer.flatMap {
      footbridge_lws_adopt_file($0, kernel.descriptor, Self.protocolName, nil)
    }
    if wsi == nil { throw HTTPServerError.loopUnavailable }
  }

  // MARK: For descriptors

  /// Watches a descriptor and retains it until it is closed or given away.
  ///
  /// - Returns: Its generation, which distinguishes it from earlier descriptors with the same number; nil if it cannot
  ///   be watched.
  func watch(_ descriptor: RawDescriptor) -> Int? {
    let number = Int(descriptor.descriptor)
    guard kernel.change(descriptor.descriptor, from: nil, to: .reading) else { return nil }
    if number >= watched.count {
      watched.append(contentsOf: repeatElement(nil, count: max(64, number + 1 - watched.count, watched.count)))
    }
    watched[number] = descriptor
    generation += 1
    return generation
  }

  /// Calls ``RawDescriptor/flush()`` in ``settle()``.
  func flushSoon(_ descriptor: RawDescriptor) {
    unflushed.append(descriptor)
  }

  /// Tells the kernel of a descriptor's interest in ``settle()``. Until then, it may change again.
  func interestChanged(_ descriptor: RawDescriptor) {
    changed.append(descriptor)
  }

  /// Closes a descriptor in ``settle()``.
  func closeSoon(_ descriptor: RawDescriptor) {
    ended.append(descriptor)
  }

  /// Stops watching a descriptor at once, without closing it, since it gets another owner.
  func giveAway(_ descriptor: RawDescriptor, _ interest: DescriptorInterest) {
    _ = kernel.change(descriptor.descriptor, from: interest, to: nil)
    watched[Int(descriptor.descriptor)] = nil
    ended.append(descriptor)
  }

  /// Calls ``RawDescriptor/alarm(at:)`` at `time`, in milliseconds of ``monotonicMilliseconds()``.
  func setAlarm(for descriptor: RawDescriptor, generation: Int, at time: Int64) {
    alarms.insert(Alarm(time: time, descriptor: descriptor.descriptor, generation: generation))
  }

  // MARK: From the loop

  /// The kernel queue has events.
  func becameReadable() {
    kernel.take { number, readiness in watched[Int(number)]?.tell(readiness) }
  }

  /// A libev timer has fired. Such timers cannot be cancelled, so this does nothing if the alarm was handled before.
  func libevTimerFired() {
    if let nextAlarm, nextAlarm <= monotonicMilliseconds() { timerFired() }
  }

  /// The loop's timer has fired. Calls all alarms that are due.
  func timerFired() {
    nextAlarm = nil
    let now = monotonicMilliseconds()
    while let alarm = alarms.min, alarm.time <= now {
      alarms.removeMin()
      guard let descriptor = watched[Int(alarm.descriptor)], descriptor.generation == alarm.generation else { continue }
      descriptor.alarm(at: alarm.time)
    }
  }

  /// Does everything that was postponed, and sets the loop's timer for the next alarm. The event loop calls it after
  /// each turn, and before it waits.
  func settle() {
    while !unflushed.isEmpty || !changed.isEmpty || !ended.isEmpty {
      let (unflushed, changed, ended) = (unflushed, changed, ended)
      self.unflushed.removeAll(keepingCapacity: true)
      self.changed.removeAll(keepingCapacity: true)
      self.ended.removeAll(keepingCapacity: true)
      for descriptor in unflushed { descriptor.flushNow() }
      for descriptor in changed {
        descriptor.applyInterest { kernel.change(descriptor.descriptor, from: $0, to: $1) }
      }
      for descriptor in ended { end(descriptor) }
    }
    setTimer()
  }

  private func end(_ descriptor: RawDescriptor) {
    let number = Int(descriptor.descriptor)
    if watched[number] === descriptor {
      watched[number] = nil
      close(descriptor.descriptor)
    }
    descriptor.closed()
  }

  private func setTimer() {
    guard let wsi, let first = alarms.min, first.time < nextAlarm ?? .max else { return }
    nextAlarm = first.time
    EventLoop.setTimer(wsi, after: max(first.time - monotonicMilliseconds(), 0))
  }
}
