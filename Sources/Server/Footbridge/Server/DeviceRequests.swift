import BridgeRuntime
import HTTPTypes
import Sessions
import SiteServer
import WebServer

/// What the device of a session does to requests for the site: their network is slow or missing, and they ask for the person's languages.
@BridgeActor
struct DeviceRequests {
  private let sessions: SessionRegistry
  /// The network of requests without a session.
  private let usualNetwork: DeviceNetwork

  init(_ sessions: SessionRegistry) {
    self.sessions = sessions
    usualNetwork = DeviceNetwork { sessions.options.device?.network }
  }

  /// Waits as long as the network makes requests wait. Returns false if the device is offline: the request has failed, without an answer.
  func pass(_ exchange: HTTPExchange) async -> Bool {
    let session = sessions.running(exchange.sessionCookie)
    guard let device = session?.device ?? sessions.options.device else { return true }
    if let languages = device.acceptLanguage { ask(for: languages, exchange, session) }
    guard let network = device.network else { return true }
    if network.isOffline {
      exchange.cut()
      return false
    }
    if network.bytesPerSecond != nil { exchange.pace = session?.network ?? usualNetwork }
    if network.latency > 0 { try? await Task.sleep(for: .milliseconds(network.latency)) }
    return true
  }

  /// Replaces the browser's languages. A script can send others, which stay: they differ from those that the document was requested with.
  private func ask(for languages: String, _ exchange: HTTPExchange, _ session: Session?) {
    var fields = exchange.head.fields
    if RequestedDocument(exchange.head, isSecure: exchange.isSecure).isNavigation {
      session?.browserLanguages = fields[.acceptLanguage] ?? ""
    } else if let own = fields[.acceptLanguage], let browsers = session?.browserLanguages, own != browsers {
      return
    }
    fields[.acceptLanguage] = languages
    try? exchange.replaceFields(fields)
  }
}
