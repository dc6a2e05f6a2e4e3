/// Which capture of which slot a task works for. Known to the task, so that a handler that outlives its page does not take the result of
/// the next capture.
struct CaptureIdentity: Sendable {
  @TaskLocal static var current: CaptureIdentity?

  let slot: ObjectIdentifier
  let capture: Int
}
