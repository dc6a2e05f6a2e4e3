package import WebServer

/// A request of a page for a resource of the app: an address with a scheme of the app's own, or a path of the site that native answers.
package struct ResourceRequest: Sendable {
  /// The scheme in lower case, or the beginning of the path.
  package let place: String
  /// The address, as the page knows it.
  package let url: String
  /// The part of the path that names the resource, still escaped. It begins with a slash.
  package let path: String
  /// The maximum size of the request's body, in bytes.
  package let bodyLimit: Int

  /// Creates a request.
  package init(place: String, url: String, path: String, bodyLimit: Int) {
    self.place = place
    self.url = url
    self.path = path
    self.bodyLimit = bodyLimit
  }
}

/// A bridge's part of a session that answers requests for resources of the app.
package protocol ResourceServing: SessionBridge {
  /// Answers a request.
  func answer(_ request: ResourceRequest, _ exchange: HTTPExchange) async
}

/// A bridge that answers paths of the site in place of the site's server.
package protocol ResourceDefinition: BridgeDefinition {
  /// The beginnings of the paths, each with a slash at its end.
  var resourcePaths: [String] { get }
}
