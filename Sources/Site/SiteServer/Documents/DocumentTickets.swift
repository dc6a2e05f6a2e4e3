package import BridgeRuntime
package import Cryptography
import Essentials
package import Sessions

/// The tickets in the script tags of served documents. A ticket is valid for one page. If a service worker has requested the document, the
/// ticket is valid for all pages that show it, at any time.
///
/// A ticket contains its document, and an authentication code (HMAC, RFC 2104) over the document and the session. So the server recognizes
/// a page that comes back after a restart, and stores nothing for documents whose page never connects.
@BridgeActor
package final class DocumentTickets {
  /// The maximum number of used tickets that are remembered. The oldest are forgotten first.
  static let limit = 10_000
  /// The lifetime of a ticket.
  static let lifetime = Duration.seconds(7 * 86_400)
  /// The file in the state directory with the key, 32 bytes.
  static let keyFileName = "document-tickets.key"

  /// The maximum length of a target. A longer target leaves no room for the ticket in the address of the page's socket.
  private static let longestTarget = 4096

  /// The key with which the documents of frames load the shim. Pages may know it: it gives access to nothing else.
  let frameKey: String

  private let authentication: AuthenticationCode
  private let clock: any BridgeClock
  private let random: BridgeRandom
  private var pageByNonce: [String: String] = [:]
  private var spent: [String] = []
  /// The tickets whose pages the browser has left. It may show their documents again from its cache, in other pages.
  private var ended: Set<String> = []

  /// With a state directory, the key is the same at each start. Throws ``StateError/unusable(_:reason:)``.
  ///
  /// - Parameter shared: The key of all servers on one database; nil for a server with a database of its own.
  package init(
    state: (any StateStorage)?, shared: AuthenticationCode? = nil, clock: any BridgeClock, random: BridgeRandom
  ) throws {
    self.clock = clock
    self.random = random
    if let shared {
      frameKey = Hexadecimal.text(Array(shared.code(of: Array("documents of frames".utf8)).prefix(16)))
      authentication = AuthenticationCode(key: shared.code(of: Array("tickets of documents".utf8)))
      return
    }
    frameKey = random.token()
    authentication = try AuthenticationCode(state: state, fileName: Self.keyFileName)
  }

  /// Issues a ticket for a document that is about to be served. A document with an overlong target does not count as a main frame.
  func issue(for document: ServedDocument) -> String {
    let fits = document.target.utf8.count <= Self.longestTarget
    // No part contains a space.
    var text: [UInt8] = []
    text.reserveCapacity(96 + document.origin.utf8.count + (fits ? document.target.utf8.count : 1))
    text += random.token().utf8
    text += " \(Int(clock.now.millisecondsSinceEpoch)) ".utf8
    text += (fits ? document.frame : .sub).rawValue.utf8
    text.append(UInt8(ascii: " "))
    text += document.origin.utf8
    text.append(UInt8(ascii: " "))
    text += (fits ? document.target : "/").utf8
    let code = authentication.code(of: Self.signedText(text, for: document.sessionID))
    return Base64URL.encode(text) + "." + Base64URL.encode(code)
  }

  /// Uses a ticket and returns its document. A ticket works for one page only, and only in the session that it was issued for.
  ///
  /// A page that comes back may use its ticket again, even after a long time. A page without an id cannot.
  package func redeem(_ ticket: String, for sessionID: String, pageID: String?) -> ServedDocument? {
    let halves = ticket.split(separator: ".", omittingEmptySubsequences: false)
    guard halves.count == 2, let text = Base64URL.decode(halves[0]), let code = Base64URL.decode(halves[1]),
      authentication.isCode(code, of: Self.signedText(text, for: sessionID))
    else { return nil }
    let parts = String(decoding: text, as: UTF8.self).split(separator: " ").map(String.init)
    // A later version may add parts.
    guard parts.count >= 5, let time = Double(parts[1]), let frame = DocumentFrame(rawValue: parts[2]) else {
      return nil
    }
    if frame != .worker {
      let issued = BridgeInstant(millisecondsSinceEpoch: time)
      guard issued.duration(to: clock.now) < Self.lifetime, spend(parts[0], pageID: pageID) else { return nil }
    }
    return ServedDocument(origin: parts[3], target: parts[4], frame: frame, sessionID: sessionID)
  }

  /// The browser has left the page of a ticket. It may go back to the document later, without a new request.
  package func pageEnded(_ ticket: String, by pageID: String?) {
    guard let text = ticket.split(separator: ".").first.flatMap({ Base64URL.decode($0) }) else { return }
    let nonce = String(decoding: text.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
    if let pageID, pageByNonce[nonce] == pageID { ended.insert(nonce) }
  }

  /// Gives a ticket to a page. Returns false if another page has it.
  private func spend(_ nonce: String, pageID: String?) -> Bool {
    if let owner = pageByNonce[nonce] {
      guard owner == pageID || ended.contains(nonce) else { return false }
      pageByNonce[nonce] = pageID ?? ""
      ended.remove(nonce)
      return true
    }
    pageByNonce[nonce] = pageID ?? ""
    spent.append(nonce)
    if spent.count > 2 * Self.limit {
      for nonce in spent.dropLast(Self.limit) {
        pageByNonce[nonce] = nil
        ended.remove(nonce)
      }
      spent.removeFirst(spent.count - Self.limit)
    }
    return true
  }

  /// The bytes that the code authenticates: the text and the session.
  private static func signedText(_ text: [UInt8], for sessionID: String) -> [UInt8] {
    var text = text
    text.append(UInt8(ascii: " "))
    text += sessionID.utf8
    return text
  }
}
