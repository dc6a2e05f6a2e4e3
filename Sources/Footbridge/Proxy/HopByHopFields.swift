import HTTP1
import HTTPTypes

extension HTTPFields {
  /// The fields that go on to the next hop: those that are meant for one connection only, by themselves or since `Connection` names them,
  /// are left out (RFC 9110, section 7.6.1). Order, repetition and spelling stay.
  var withoutHopByHopFields: some Sequence<HTTPField> {
    let options = connectionOptions
    return lazy.filter { field in
      let name = field.name.canonicalName
      return !Self.isHopByHop(name)
        // The frame of the message is ours to write, and a request without its host would be another one.
        && (!options.contains(name) || name == "content-length" || name == "host")
    }
  }

  /// Whether fields of a name, in lower case, are meant for one connection by themselves. Most names have another length than those.
  private static func isHopByHop(_ name: String) -> Bool {
    switch name.utf8.count {
    case 2: name == "te"
    case 7: name == "upgrade"
    case 10: name == "connection" || name == "keep-alive"
    case 14: name == "http2-settings"
    case 16: name == "proxy-connection"
    case 17: name == "transfer-encoding"
    default: false
    }
  }
}
