import HTTP1
import HTTPTypes

extension HTTPFields {
  /// The fields that go on to the next hop: those that are meant for one connection only, by themselves or since `Connection` names them,
  /// are left out (RFC 9110, section 7.6.1). Order, repetition and spelling stay.
  var withoutHopByHopFields: [HTTPField] {
    let options = Set(connectionOptions)
    return filter { field in
      let name = field.name.canonicalName
      return !Self.hopByHopNames.contains(name)
        // The frame of the message is ours to write, and a request without its host would be another one.
        && (!options.contains(name) || name == "content-length" || name == "host")
    }
  }

  private static let hopByHopNames: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade", "http2-settings",
  ]
}
