import HTTPTypes
import WebServer

/// The description of the API for programs, in OpenAPI 3.1.
enum DescriptionRoutes {
  /// The embedded file that it is.
  static let path = "api/openapi.json"

  static let all = [
    ControlRoute(.get, "/openapi.json") { request in
      guard let file = EmbeddedFile.all[path] else { throw ControlProblem.notFound("This build has no description.") }
      await request.exchange.serve(file, fields: [.cacheControl: "no-cache"])
      return .answered
    }
  ]
}
