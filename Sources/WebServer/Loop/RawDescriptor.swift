import BridgeRuntime
import Foundation

/// A descriptor that the loop watches and that its owner reads and writes itself. The loop owns the descriptor and closes it.
@BridgeActor
class RawDescriptor {
  /// The descriptor; not to be used once ``isOpen`` is false.
  final let descriptor: Int32
  /// What tells the descriptor from earlier ones of the same number; 0 when it is not watched.
  private(set) final var generation = 0
  private final var isEnding = false
  private final var awaitsFlush = false
  /// What is to be told, and what the kernel knows of that.
  private final var interest: DescriptorInterest = .reading
  private final var knownInterest: DescriptorInterest = .reading
  /// When the timer is to fire, and when an alarm looks at that, in milliseconds of ``monotonicMilliseconds()``.
  private final var deadline: Int64?
  private final var alarm: Int64?

  /// Whether the loop still watches the descriptor.
  final var isOpen: Bool { generation != 0 }

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Hands the descriptor to the loop, which from now on keeps this object alive. On failure the descriptor is closed.
  final func watch() -> Bool {
    guard let generation = EventLoop.descriptors?.watch(self) else {
      close(descriptor)
      return false
    }
    self.generation = generation
    return true
  }

  /// Asks for ``becameWritable()``.
  final func wantWrite() {
    setInterest(interest.union(.writing))
  }

  /// Turns ``becameReadable()`` on and off.
  final func setReading(_ isReading: Bool) {
    setInterest(isReading ? interest.union(.reading) : interest.subtracting(.reading))
  }

  /// Asks for ``timerFired()`` after `duration`, in place of an earlier such wish; nil takes it back.
  final func setTimer(_ duration: Duration?) {
    guard isOpen else { return }
    deadline = duration.map { monotonicMilliseconds() + Int64($0.milliseconds.rounded(.up)) }
    scheduleAlarm()
  }

  /// Asks for ``flush()`` once whatever is being done is done.
  final func flushSoon() {
    guard isOpen, !awaitsFlush else { return }
    awaitsFlush = true
    EventLoop.descriptors?.flushSoon(self)
  }

  /// Closes the descriptor once whatever is being done is done.
  final func closeSoon() {
    guard isOpen, !isEnding else { return }
    isEnding = true
    EventLoop.descriptors?.closeSoon(self)
  }

  /// Gives the descriptor to another owner; nil when it is closed or about to be. ``closed()`` follows here.
  final func giveAway() -> Int32? {
    guard isOpen, !isEnding else { return nil }
    isEnding = true
    EventLoop.descriptors?.giveAway(self, knownInterest)
    return descriptor
  }

  func becameReadable() {}

  func becameWritable() {}

  func timerFired() {}

  /// Sends what waits.
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
    // Nobody would notice, and the kernel would tell it again and again.
    if isBroken, told.isEmpty { closeSoon() }
  }

  final func flushNow() {
    awaitsFlush = false
    flush()
  }

  /// Tells the kernel what has changed.
  final func applyInterest(_ change: (_ old: DescriptorInterest, _ new: DescriptorInterest) -> Bool) {
    guard isOpen, !isEnding, interest != knownInterest else { return }
    if change(knownInterest, interest) { knownInterest = interest } else { closeSoon() }
  }

  /// An alarm that was set for `time` has come.
  final func alarm(at time: Int64) {
    // One that was set before another one for an earlier time.
    guard time == alarm else { return }
    alarm = nil
    // One that was put off has its turn after those that are due before it, even when all are late.
    guard let deadline, deadline <= time else { return scheduleAlarm() }
    self.deadline = nil
    timerFired()
  }

  private func setInterest(_ new: DescriptorInterest) {
    guard isOpen, !isEnding, new != interest else { return }
    if interest == knownInterest { EventLoop.descriptors?.interestChanged(self) }
    interest = new
  }

  /// Timers are put off far more often than they fire: an alarm that is there is left to look when it comes.
  private func scheduleAlarm() {
    guard let deadline, deadline < alarm ?? .max else { return }
    alarm = deadline
    EventLoop.descriptors?.setAlarm(for: self, generation: generation, at: deadline)
  }
}
