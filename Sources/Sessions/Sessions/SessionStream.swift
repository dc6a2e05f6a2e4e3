/// What the ids of a session follow from, besides the server's seed: no two launches have the same, so that no id comes twice.
struct SessionStream: Sendable, Hashable, Codable {
  /// The name that the session had when it was made; empty when it had none.
  let sessionName: String
  /// The number of the session among those of the same name, from 1.
  let number: Int
  /// The number of the launch, from 1.
  var launch = 1

  /// The stream's name among the streams of a source.
  var name: String { "session \(number) \(sessionName), launch \(launch)" }

  /// The name of the stream of what stays over launches: the device.
  var deviceName: String { "device of session \(number) \(sessionName)" }

  /// The stream of the next launch.
  var next: SessionStream {
    var next = self
    next.launch += 1
    return next
  }
}
