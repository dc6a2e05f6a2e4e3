import HTTPTypes
import WebServer

/// The route of the OpenAPI document.
enum DescriptionRoutes {
  /// The embedded file.
  static let path = "api/openapi.json"

  static let all = [
    ControlRoute(.get, "/openapi.json") { request in
      guard let file = EmbeddedFile.all[path] else {
        throw ControlProblem.notFound("This executable was built without the OpenAPI document.")
      }
      await request.exchange.serve(file, fields: [.cacheControl: "no-cache"])
      return .answered
    }
  ]
}
