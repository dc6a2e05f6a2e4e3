import Foundation

extension OnsideVisit {
  /// What counts as the URL that led to the install: the referrer when the first page came from another origin, with the UTM parameters of the
  /// page's own URL added; else the page's URL if it has UTM parameters; else nothing. That a page visit stands for an install is ours.
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
