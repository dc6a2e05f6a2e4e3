package import Sessions

/// Where the traffic of the server is recorded.
public struct TrafficOptions: Sendable {
  /// The file that gets a line for each request; `-` means standard error, nil means no log.
  public var accessLog: String?
  /// The file that gets all requests of the site and their responses, as HAR 1.2; nil for none.
  public var har: String?

  package init() {}
}

extension ServerOption {
  package static let accessLog = ServerOption(
    "accessLog", .text, "file", help: "A file that gets a line for each request; - is standard error.")
  package static let har = ServerOption(
    "har", .text, "file",
    help: "A file that gets all requests of the site and their responses (HAR 1.2), without secrets.")
}

/// How the options are read.
extension TrafficOptions {
  package static let options: [ServerOption] = [.accessLog, .har]

  init(_ values: OptionValues) {
    accessLog = values[.accessLog]?.value
    har = values[.har]?.value
  }
}
