import BridgeRuntime
import CLibwebsockets
import Foundation
import HeapModule

/// Watches the descriptors that their owners read and write themselves: in a queue of the kernel's, which libwebsockets' loop watches as one.
///
/// libwebsockets could watch each of them itself. But it looks through the table of all that could be open whenever one is closed, keeps
/// its timers in one sorted list, and leaves a descriptor behind that goes to another owner, which has libev set itself up anew.
@BridgeActor
final class DescriptorQueue {
  /// Asks for a look at a descriptor at a time. It may have changed its mind, or be another one by then.
  private struct Alarm: Comparable {
    let time: Int64
    let descriptor: Int32
    let generation: Int

    static func < (one: Alarm, other: Alarm) -> Bool { one.time < other.time }
  }

  /// What libwebsockets knows the kernel's queue by, which it only watches.
  private static let protocolName = "footbridge-descriptors"

  private let kernel: KernelQueue
  private let host: VirtualHost
  private var wsi: OpaquePointer?
  private var watched: [RawDescriptor?] = []
  private var generation = 0
  private var alarms = Heap<Alarm>()
  private var nextAlarm: Int64?
  private var unflushed: [RawDescriptor] = []
  private var changed: [RawDescriptor] = []
  private var ended: [RawDescriptor] = []

  /// Makes the queue and has the loop watch it. Throws ``WebServerError/loopUnavailable``.
  init(loop: EventLoop) throws {
    guard let kernel = KernelQueue() else { throw WebServerError.loopUnavailable }
    self.kernel = kernel
    host = try VirtualHost(loop: loop, subprotocols: [Self.protocolName])
    wsi = host.pointer.flatMap {
      footbridge_lws_adopt_file($0, kernel.descriptor, Self.protocolName, nil)
    }
    if wsi == nil { throw WebServerError.loopUnavailable }
  }

  // MARK: For descriptors

  /// Watches a descriptor, and keeps it until it is closed or given away. Returns what tells it from earlier ones of the same number; nil
  /// when it cannot be watched.
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

  /// Has ``RawDescriptor/flush()`` called once whatever is being done is done.
  func flushSoon(_ descriptor: RawDescriptor) {
    unflushed.append(descriptor)
  }

  /// What is to be told of a descriptor has changed, and may change again.
  func interestChanged(_ descriptor: RawDescriptor) {
    changed.append(descriptor)
  }

  /// Closes a descriptor once whatever is being done is done.
  func closeSoon(_ descriptor: RawDescriptor) {
    ended.append(descriptor)
  }

  /// Forgets a descriptor that another owner has from now on.
  func giveAway(_ descriptor: RawDescriptor, _ interest: DescriptorInterest) {
    _ = kernel.change(descriptor.descriptor, from: interest, to: nil)
    watched[Int(descriptor.descriptor)] = nil
    ended.append(descriptor)
  }

  /// Has ``RawDescriptor/alarm(at:)`` called at a time, in milliseconds of ``monotonicMilliseconds()``.
  func setAlarm(for descriptor: RawDescriptor, generation: Int, at time: Int64) {
    alarms.insert(Alarm(time: time, descriptor: descriptor.descriptor, generation: generation))
  }

  // MARK: From the loop

  /// Something has happened on some of the descriptors.
  func becameReadable() {
    kernel.take { number, readiness in watched[Int(number)]?.tell(readiness) }
  }

  /// The time of an alarm has come.
  func timerFired() {
    nextAlarm = nil
    let now = monotonicMilliseconds()
    while let alarm = alarms.min, alarm.time <= now {
      alarms.removeMin()
      guard let descriptor = watched[Int(alarm.descriptor)], descriptor.generation == alarm.generation else { continue }
      descriptor.alarm(at: alarm.time)
    }
  }

  /// Does what was put off until whatever was being done is done.
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
    lws_set_timer_usecs(wsi, max(first.time - monotonicMilliseconds(), 0) * 1000)
  }
}
