/// Names the random streams of a session, if the server has a seed. Each launch has its own stream, so that no id repeats.
struct SessionStream: Sendable, Hashable, Codable {
  /// The name of the session when it was created; empty if it had none.
  let sessionName: String
  /// The number of the session among those of the same name, from 1.
  let number: Int
  /// The number of the launch, from 1.
  var launch = 1

  /// The name of the launch's random stream.
  var name: String { "session \(number) \(sessionName), launch \(launch)" }

  /// The name of the random stream for the device, which is the same in all launches.
  var deviceName: String { "device of session \(number) \(sessionName)" }

  /// The stream of the next launch.
  var next: SessionStream {
    var next = self
    next.launch += 1
    return next
  }
}
