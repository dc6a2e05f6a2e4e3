import BridgeRuntime
import Essentials

/// A descriptor that the loop watches and closes (``DescriptorQueue``). A subclass reads and writes it.
@BridgeActor
class RawDescriptor {
  /// The descriptor. Do not use it once ``isOpen`` is false.
  final let descriptor: Int32
  /// Distinguishes the descriptor from earlier ones with the same number; 0 while it is not watched.
  private(set) final var generation = 0
  private final var isEnding = false
  private final var awaitsFlush = false
  /// The events that the kernel shall report.
  private final var interest: DescriptorInterest = .reading
  /// The events that the kernel has been asked to report.
  private final var knownInterest: DescriptorInterest = .reading
  /// When the timer fires, in milliseconds of ``monotonicMilliseconds()``; nil while it is not set.
  private final var deadline: Int64?
  /// When the next alarm checks the timer; nil if no alarm is set.
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

  /// Calls ``becameWritable()`` once, when the descriptor is writable.
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

  /// Calls ``flush()`` at the end of the current turn (``DescriptorQueue/settle()``).
  final func flushSoon() {
    guard isOpen, !awaitsFlush else { return }
    awaitsFlush = true
    EventLoop.descriptors?.flushSoon(self)
  }

  /// Closes the descriptor at the end of the current turn, and then calls ``closed()``. No events follow before that.
  final func closeSoon() {
    guard isOpen, !isEnding else { return }
    isEnding = true
    EventLoop.descriptors?.closeSoon(self)
  }

  /// Gives the descriptor to another owner, without closing it, and calls ``closed()`` at the end of the current turn.
  /// Returns nil if it is closed or closing.
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

  /// The descriptor was closed or given away. Overrides must call this method first.
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
    // No method was called that could notice, and the kernel would report it again and again.
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

  /// The time of an alarm has come.
  final func alarm(at time: Int64) {
    // Otherwise, an alarm for an earlier time has replaced this one.
    guard time == alarm else { return }
    alarm = nil
    // If the timer was postponed, set an alarm for its new time.
    guard let deadline, deadline <= time else { return scheduleAlarm() }
    self.deadline = nil
    timerFired()
  }

  private func setInterest(_ new: DescriptorInterest) {
    guard isOpen, !isEnding, new != interest else { return }
    if interest == knownInterest { EventLoop.descriptors?.interestChanged(self) }
    interest = new
  }

  /// Sets an alarm for the timer, unless there is one that comes earlier. Timers are postponed far more often than they
  /// fire, so that alarm stays, and checks the deadline.
  private func scheduleAlarm() {
    guard let deadline, deadline < alarm ?? .max else { return }
    alarm = deadline
    EventLoop.descriptors?.setAlarm(for: self, generation: generation, at: deadline)
  }
}
