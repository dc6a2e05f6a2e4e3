/// What determines the ids of a session, besides the server's seed. No two launches share it, so that no id repeats.
struct SessionStream: Sendable, Hashable, Codable {
  /// The name of the session when it was created; empty if it had none.
  let sessionName: String
  /// The number of the session among those of the same name, from 1.
  let number: Int
  /// The number of the launch, from 1.
  var launch = 1

  /// The name of the random stream.
  var name: String { "session \(number) \(sessionName), launch \(launch)" }

  /// The name of the random stream of what stays over launches: the device.
  var deviceName: String { "device of session \(number) \(sessionName)" }

  /// The stream of the next launch.
  var next: SessionStream {
    var next = self
    next.launch += 1
    return next
  }
}
