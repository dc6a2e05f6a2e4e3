import BridgeRuntime
import HTTP1

extension InputNode {
  /// Where the publisher's backend receives notifications: `{url, timeout?}`.
  func notificationSettings() throws(OptionError) -> NotificationSettings {
    let members = try section(["url", "timeout"])
    guard let url = members["url"] else { throw expected("an object with at least a url") }
    var settings = NotificationSettings(url: try url.addressOfBackend())
    if let timeout = members["timeout"] { settings.timeout = .seconds(try timeout.integer(in: 1...300)) }
    return settings
  }

  /// An address of https, or of http on this machine: a notification says who has bought what.
  private func addressOfBackend() throws(OptionError) -> String {
    let text = try text()
    guard case .absolute(let scheme, let authority, _, _) = RequestTarget(text, method: .post),
      scheme.lowercased() == "https"
        || (scheme.lowercased() == "http" && authority.isLoopback)
    else {
      throw expected("an address of https, or of http on this machine, such as http://localhost:3000/notifications")
    }
    return text
  }
}
