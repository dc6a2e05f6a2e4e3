import BridgeCore

/// Problems that the page's shim reports. They are written into the log and the journal, for the page's developer.
extension Page {
  private static let longestAddress = 2048
  private static let mostDocuments = 20
  private static let longestName = 200

  /// Handles a report of the shim. Returns false for any other message.
  func takeRemark(_ message: BridgeMessage) -> Bool {
    let data = message.payload.data ?? [:]
    switch message.action {
    case FootbridgeAction.passing: notePassing(data["url"]?.stringValue)
    case FootbridgeAction.cachedDocuments: noteCached(data["documents"]?.arrayValue ?? [])
    case FootbridgeAction.unregisteredWorkers:
      let found = ServiceWorkers.Unregistered(data)
      session.journal.append(.page, page: id, action: "workersUnregistered", data: found.json)
      session.serviceWorkers.unregistered(found, by: name)
    case FootbridgeAction.lostMessage: noteLost(data["name"]?.stringValue)
    case FootbridgeAction.titled: take(title: data["title"])
    case FootbridgeAction.outside: noteOutside(data["url"]?.stringValue)
    default: return false
    }
    host.answer(message, BridgeAnswer(status: .success, data: [:]))
    return true
  }

  private func notePassing(_ address: String?) {
    guard let address = address.map(Self.publicAddress), !address.isEmpty else { return }
    session.pageLog.note(
      "A page goes past Footbridge, to \(address): that is an address of the server behind it, where pages have no native host. Use links without a host, set the base address in the site's settings, or start with --proxy-rewrite-links."
    )
    session.journal.append(.page, page: id, action: "passing", data: ["url": .string(address)])
  }

  private func noteOutside(_ address: String?) {
    guard let address = address.map(Self.publicAddress), !address.isEmpty else { return }
    session.journal.append(.page, page: id, action: "openedOutside", data: ["url": .string(address)])
  }

  private func noteLost(_ handler: String?) {
    let handler = String((handler ?? "").prefix(Self.longestName))
    guard remarks.isFirst("lost \(handler)") else { return }
    note(
      unanswered: nil,
      "A message to webkit.messageHandlers.\(handler) cannot be copied. As in WebKit, its promise stays pending.")
  }

  /// Says why a promise of the page stays pending, in the log and the journal.
  func note(unanswered request: BridgeMessage?, _ reason: String) {
    session.pageLog.note(reason)
    session.journal.append(
      .decision, page: id, action: "unanswered", correlationId: request?.correlationId, note: reason)
  }

  private func noteCached(_ documents: [JSONValue]) {
    let paths = documents.prefix(Self.mostDocuments).compactMap { $0.stringValue.map(Self.publicAddress) }
    guard !paths.isEmpty else { return }
    session.pageLog.note(
      "A service worker in the browser keeps documents from before Footbridge was at this address. Where it answers with them, pages have no native host. \(ServiceWorkers.advice) The documents: \(paths.joined(separator: ", "))"
    )
    session.journal.append(
      .page, page: id, action: "documentsKept", data: ["documents": .array(paths.map { .string($0) })])
  }

  /// Removes the query and the fragment, which may contain secrets, from an address.
  static func publicAddress(_ address: String) -> String {
    String(address.prefix(longestAddress).prefix { $0 != "?" && $0 != "#" })
  }
}
