import BridgeRuntime
import Essentials

/// A descriptor that the loop watches and closes. A subclass reads and writes it.
@BridgeActor
class RawDescriptor {
  /// The descriptor. Do not use it once ``isOpen`` is false.
  final let descriptor: Int32
  /// Distinguishes the descriptor from earlier ones with the same number; 0 while it is not watched.
  private(set) final var generation = 0
  private final var isEnding = false
  private final var awaitsFlush = false
  /// The events to report, and those that the kernel reports.
  private final var interest: DescriptorInterest = .reading
  private final var knownInterest: DescriptorInterest = .reading
  /// When the timer fires, and when the next alarm checks it, in milliseconds of ``monotonicMilliseconds()``.
  private final var deadline: Int64?
  private final var alarm: Int64?

  /// Whether the loop still watches the descriptor.
  final var isOpen: Bool { generation != 0 }

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Makes the loop watch the descriptor and retain this object. Returns false, with the descriptor closed, on failure.
  final func watch() -> Bool {
    guard let generation = EventLoop.descriptors?.watch(self) else {
      close(descriptor)
      return false
    }
    self.generation = generation
    return true
  }

  /// Calls ``becameWritable()`` once the descriptor is writable.
  final func wantWrite() {
    setInterest(interest.union(.writing))
  }

  /// Turns ``becameReadable()`` on and off.
  final func setReading(_ isReading: Bool) {
    setInterest(isReading ? interest.union(.reading) : interest.subtracting(.reading))
  }

  /// Calls ``timerFired()`` after `duration`. Replaces an earlier timer; nil cancels it.
  final func setTimer(_ duration: Duration?) {
    guard isOpen else { return }
    deadline = duration.map { monotonicMilliseconds() + Int64($0.milliseconds.rounded(.up)) }
    scheduleAlarm()
  }

  /// Calls ``flush()`` at the end of the current work.
  final func flushSoon() {
    guard isOpen, !awaitsFlush else { return }
    awaitsFlush = true
    EventLoop.descriptors?.flushSoon(self)
  }

  /// Closes the descriptor at the end of the current work.
  final func closeSoon() {
    guard isOpen, !isEnding else { return }
    isEnding = true
    EventLoop.descriptors?.closeSoon(self)
  }

  /// Gives the descriptor to another owner, and calls ``closed()`` later. Returns nil when it is closed or closing.
  final func giveAway() -> Int32? {
    guard isOpen, !isEnding else { return nil }
    isEnding = true
    EventLoop.descriptors?.giveAway(self, knownInterest)
    return descriptor
  }

  func becameReadable() {}

  func becameWritable() {}

  func timerFired() {}

  /// Sends queued bytes.
  func flush() {}

  /// The descriptor was closed or given away. Subclasses call this one first.
  func closed() {
    generation = 0
  }

  // MARK: From the queue

  final func tell(_ readiness: DescriptorReadiness) {
    if isEnding { return }
    let told = interest
    let isBroken = readiness.contains(.broken)
    if told.contains(.reading), isBroken || readiness.contains(.readable) { becameReadable() }
    if told.contains(.writing), isBroken || readiness.contains(.writable), !isEnding {
      setInterest(interest.subtracting(.writing))
      becameWritable()
    }
    // Nobody would notice, and the kernel would report it again and again.
    if isBroken, told.isEmpty { closeSoon() }
  }

  final func flushNow() {
    awaitsFlush = false
    flush()
  }

  /// Tells the kernel which events to report.
  final func applyInterest(_ change: (_ old: DescriptorInterest, _ new: DescriptorInterest) -> Bool) {
    guard isOpen, !isEnding, interest != knownInterest else { return }
    if change(knownInterest, interest) { knownInterest = interest } else { closeSoon() }
  }

  /// An alarm that was set for `time` has come.
  final func alarm(at time: Int64) {
    // An outdated alarm, replaced by one for an earlier time.
    guard time == alarm else { return }
    alarm = nil
    // A postponed timer is scheduled again, after those that are due before it.
    guard let deadline, deadline <= time else { return scheduleAlarm() }
    self.deadline = nil
    timerFired()
  }

  private func setInterest(_ new: DescriptorInterest) {
    guard isOpen, !isEnding, new != interest else { return }
    if interest == knownInterest { EventLoop.descriptors?.interestChanged(self) }
    interest = new
  }

  /// Timers are postponed far more often than they fire. So an existing alarm stays, and checks the deadline when it
  /// comes.
  private func scheduleAlarm() {
    guard let deadline, deadline < alarm ?? .max else { return }
    alarm = deadline
    EventLoop.descriptors?.setAlarm(for: self, generation: generation, at: deadline)
  }
}
