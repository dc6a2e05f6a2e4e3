import BridgeRuntime
import BridgeServer
import HTTP1
import HTTPTypes
import Sessions
import SiteServer
import WebServer

/// The files that pages load from `/__footbridge/`: the shim, the sheets and their words, files of bridges, and the app's icon.
@BridgeActor
struct ScriptRoute {
  let sessions: SessionRegistry
  let shims: ShimScripts
  let admission: DocumentAdmission
  /// The files of bridges, by their routes.
  let files: [String: EmbeddedFile]
  /// The app's icon; nil if it has none.
  let icon: EmbeddedFile?

  /// Serves the script of a route. Returns false if there is none.
  func answer(_ exchange: HTTPExchange, _ route: Substring, _ access: AccessPolicy) async -> Bool {
    switch route {
    case "shim.js": await serve(await shim(for: exchange), exchange, access)
    case "sheets.js": await serve(ShimScript.sheets, exchange, access)
    case "lint.js": await serve(shims.lint, exchange, access)
    case "evaluation.js": await serve(ShimScript.evaluation, exchange, access)
    case "device.js": await serve(ShimScript.device, exchange, access)
    case "workers.js": await serve(ShimScript.workers, exchange, access)
    case "recorder.js": await serve(ShimScript.recorder, exchange, access)
    case _ where route == AppIdentity.iconRoute && icon != nil:
      if let icon { await serve(icon, exchange, access) }
    default:
      guard let file = ShimScript.words[String(route)] ?? file(at: String(route), for: exchange) else { return false }
      await serve(file, exchange, access)
    }
    return true
  }

  /// The shim for the session of a request's browser.
  private func shim(for exchange: HTTPExchange) async -> EmbeddedFile {
    // If the store cannot be read, the page learns of it when it opens its socket.
    guard let value = SessionCookie.value(in: exchange.head.fields, isSecure: exchange.isSecure),
      let session = try? await sessions.session(cookieValue: value)
    else { return shims.usual }
    return shims[session]
  }

  /// The file of a bridge of the browser's session; nil if there is none.
  private func file(at route: String, for exchange: HTTPExchange) -> EmbeddedFile? {
    let value = SessionCookie.value(in: exchange.head.fields, isSecure: exchange.isSecure)
    let session = value.flatMap { sessions.running(cookieValue: $0) }
    guard let session, session.bridgeTable !== sessions.bridgeTable else { return files[route] }
    return session.bridgeTable.scriptFiles[route]
  }

  private func serve(_ script: EmbeddedFile, _ exchange: HTTPExchange, _ access: AccessPolicy) async {
    // A script under an address with its version never changes.
    let isVersioned = QueryItems(exchange.head.target.query)["v"] == script.entityTag?.opaqueTag
    let caching = isVersioned ? "private, max-age=31536000, immutable" : "no-cache"
    var fields: HTTPFields = [.cacheControl: caching, .vary: "Origin"]
    access.letPageRead(&fields, inAnswerTo: exchange.head)
    if admission.isFromFrame(exchange.head) { fields[.crossOriginResourcePolicy] = "cross-origin" }
    // A page with a handwritten script tag may come from another server. This response then gives the browser its session.
    admission.session(of: exchange, &fields)
    await exchange.serve(script, fields: fields)
  }
}
