import HTTP1
import HTTPTypes

extension HTTPFields {
  /// The fields for the next hop. Leaves out those for one connection only, and those that `Connection` names (RFC 9110, section 7.6.1).
  /// Keeps order, repetition and spelling.
  var withoutHopByHopFields: some Sequence<HTTPField> {
    let options = connectionOptions
    return lazy.filter { field in
      let name = field.name.canonicalName
      return !Self.isHopByHop(name)
        // The proxy writes the framing of the message itself, and a request without its host would be another one.
        && (!options.contains(name) || name == "content-length" || name == "host")
    }
  }

  /// Whether fields of a name, in lower case, are for one connection only. The lengths rule out most names.
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
