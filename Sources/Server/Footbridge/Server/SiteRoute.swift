import BridgeRuntime
import HTMLInjection
import HTTP1
import HTTPTypes
import Sessions
import SiteServer
import WebServer

/// Answers requests for the site: from an upstream server (`--proxy`, `routes:`), a folder or the demo.
@BridgeActor
struct SiteRoute {
  let site: any Site
  let proxy: ReverseProxy?
  let admission: DocumentAdmission
  /// The paths without the shim.
  let excluded: ExcludedPaths
  /// The header fields that the options add to responses.
  let responseFields: FieldChanges
  let random: BridgeRandom

  /// Closes the connections to upstreams.
  func stop() {
    proxy?.stop()
  }

  /// Forwards a request and answers it. Returns false if no other server serves its path.
  func passOn(_ exchange: HTTPExchange) async -> Bool {
    await proxy?.answer(exchange) ?? false
  }

  /// Whether a path of the site's folder has no document.
  func lacks(_ path: String) async -> Bool {
    guard proxy?.forwards(path) != true else { return false }
    return await site.lookUp(path, isNavigation: true).isNotFound
  }

  /// Answers a request for a path of the site.
  func answer(_ exchange: HTTPExchange, _ path: String) async {
    if await passOn(exchange) { return }
    let requested = RequestedDocument(
      exchange.head, isSecure: exchange.isSecure, isExcluded: excluded.contains(path),
      isByWorker: admission.workers.made(exchange.head))
    admission.workers.note(exchange.head)
    if await admission.answerByRule(exchange, requested) { return }
    guard exchange.allows([.get, .head]) else { return }
    switch await site.lookUp(path, isNavigation: requested.isNavigation) {
    case .file(let file):
      // The browser caches the file but revalidates it each time, so an edit shows at once.
      var fields: HTTPFields = [.cacheControl: "no-cache"]
      let isDocument = HTMLMediaType.isHTML(file.mediaType) && !requested.isExcluded
      if isDocument, requested.varies { fields[.vary] = RequestedDocument.vary }
      responseFields.apply(to: &fields)
      if !requested.isExcluded, let workerStart = admission.workerStart(of: exchange) {
        guard let script = try? await WorkerScriptFile(file, workerStart) else {
          return exchange.respondText(.internalServerError, "The script of the worker could not be read.")
        }
        return await exchange.serve(script, fields: fields)
      }
      guard isDocument else { return await exchange.serve(file, fields: fields) }
      let isFragment = requested.isByWorker ? await isFragment(file) : false
      if requested.isInjected, !isFragment {
        await serveDocument(file, .ok, requested, exchange, fields)
      } else {
        await exchange.serve(file, fields: fields)
      }
    case .redirect(let location):
      let query = exchange.head.target.query.map { "?" + $0 } ?? ""
      // Without it, a browser never asks again, although a file may take the folder's place.
      let fields: HTTPFields = [.location: location + query, .cacheControl: "no-cache"]
      respond(.permanentRedirect, "This folder is at \(location).", fields, to: exchange)
    case .failed(let error):
      let isBusy = error == .tooManyOpen
      respond(
        isBusy ? .serviceUnavailable : .internalServerError, error.description, isBusy ? [.retryAfter: "1"] : [:],
        to: exchange)
    case .notFound(let reason):
      // As static hosts do, the site's own page is shown for a missing document.
      guard requested.isNavigation, case .file(let file) = await site.lookUp("/404.html", isNavigation: false) else {
        return respond(.notFound, reason, [:], to: exchange)
      }
      var fields: HTTPFields = [.cacheControl: "no-cache"]
      if requested.varies { fields[.vary] = RequestedDocument.vary }
      responseFields.apply(to: &fields)
      if requested.isInjected {
        await serveDocument(file, .notFound, requested, exchange, fields)
      } else {
        await exchange.serve(file, status: .notFound, fields: fields)
      }
    }
  }

  /// Answers with a text, and with the fields that the options add.
  private func respond(
    _ status: HTTPResponse.Status, _ text: String, _ fields: HTTPFields, to exchange: HTTPExchange
  ) {
    var fields = fields
    responseFields.apply(to: &fields)
    exchange.respondText(status, text, fields: fields)
  }

  /// Whether an HTML file is a fragment of a document.
  private func isFragment(_ file: any FileContent) async -> Bool {
    var start = HTMLDocumentStart()
    start.push((try? await file.read(at: 0, count: HTMLDocumentStart.byteCount)) ?? [])
    start.finish()
    return start.isDocument != true
  }

  /// Serves a document with the shim as the first element of its head.
  private func serveDocument(
    _ file: any FileContent,
    _ status: HTTPResponse.Status,
    _ requested: RequestedDocument,
    _ exchange: HTTPExchange,
    _ fields: HTTPFields
  ) async {
    var fields = fields
    let admitted = admission.admit(requested, exchange, &fields, contentType: file.mediaType)
    do {
      let isSecure = exchange.isSecure
      let policies = DocumentPolicies(
        mending: &fields, isSecure: isSecure, authority: exchange.head.authority,
        isOnStage: admitted.isOnStage, random: random)
      let policy = exchange.head.authority.map {
        ContentSecurityPolicy(nonce: policies.nonce, isSecure: isSecure, authority: $0)
      }
      let document = try await InjectedDocument(file, admitted, nonce: policies.nonce, policy: policy)
      if requested.isByBrowser { fields[.cacheControl] = RequestedDocument.caching }
      await exchange.serve(document, status: status, fields: fields, isConditional: !requested.isByBrowser)
    } catch {
      exchange.respondText(.internalServerError, "The document could not be read: \(error.localizedDescription)")
    }
  }
}
