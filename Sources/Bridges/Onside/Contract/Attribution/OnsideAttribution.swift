public import Essentials

/// Where the install came from (bridge reference, "JSAttributionMetadata").
public struct OnsideAttributionMetadata: Sendable, Hashable {
  /// The URL as pages receive it.
  let text: String?

  /// The full URL that the browser had loaded when the install began. Nil if the install cannot be attributed, which is not an error.
  public var refererUrl: URL? { text.flatMap { URL(string: $0) } }
}

/// The visit of a session's first page, which decides the attribution.
public struct OnsideVisit: Sendable, Hashable, Codable {
  /// The page's URL.
  public let url: String
  /// The page's `document.referrer`; empty when there is none.
  public let referrer: String

  /// Creates a visit.
  public init(url: String, referrer: String) {
    self.url = url
    self.referrer = referrer
  }
}

extension OnsideVisit {
  /// The URL that led to the install. The contract has no rule for it, since it knows real installs only. Ours:
  ///
  /// - If the first page came from another origin, its referrer, with the UTM parameters of the page's own URL added.
  /// - Otherwise, the page's URL if it has UTM parameters.
  /// - Otherwise, nil.
  var refererURL: String? {
    guard let page = URLComponents(string: url) else { return nil }
    let campaign = (page.queryItems ?? []).filter { $0.name.lowercased().hasPrefix("utm_") }
    guard var source = URLComponents(string: referrer), let host = source.host, source.scheme != nil,
      host != page.host || source.port != page.port || source.scheme != page.scheme
    else {
      return campaign.isEmpty ? nil : url
    }
    let known = Set((source.queryItems ?? []).map(\.name))
    let added = campaign.filter { !known.contains($0.name) }
    if !added.isEmpty { source.queryItems = (source.queryItems ?? []) + added }
    return source.string
  }
}
