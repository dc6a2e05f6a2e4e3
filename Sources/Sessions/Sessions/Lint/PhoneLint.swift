/// The rule about what pages do that fails or differs on the phone that `--like` names. The script of the page finds it (`web/phone/`).
package enum PhoneLint {
  /// The rule.
  package static let rule = LintRule(
    "L26", .error, "Something that the phone does not have",
    contract:
      "The web view of a phone lacks many APIs of a desktop browser, and treats some things differently.",
    section: "MDN, browser compatibility of WebView on iOS and WebView Android",
    advice: "Check that an API exists before the first use, and do without it; see docs/phone.md.")

  /// What the page does that works otherwise on a phone.
  enum Difference: String {
    case cookieAge, secureCookie, thirdPartyStorage, autoplay, inlineVideo, viewportHeight, zoom

    /// What happens on the phone, after the name of the phone.
    var outcome: String {
      switch self {
      case .cookieAge: "deletes a cookie that a script writes after 7 days"
      case .secureCookie: "does not store a Secure cookie of a page under http, also on this machine"
      case .thirdPartyStorage:
        "gives a frame of another site no cookies, and storage of its own for each site around it"
      case .autoplay: "plays sound only after the user has touched the page"
      case .inlineVideo: "plays a video without playsinline in full screen"
      case .viewportHeight: "counts what is behind the notch and the home indicator into 100vh"
      case .zoom: "zooms into the page when a field with a font below 16 px gets the focus"
      }
    }
  }

  /// The finding about an observation; nil if it is about something else.
  static func finding(_ observation: LintObservation, page: String) -> LintFinding? {
    guard let phone = observation["phone"] else { return nil }
    let place = observation["at"].flatMap { $0.isEmpty ? nil : " (\($0))" } ?? ""
    switch observation.kind {
    case "phoneLacks":
      guard let api = observation["api"] else { return nil }
      let since = observation["since"].flatMap { $0.isEmpty ? nil : ", which comes with iOS \($0)" } ?? ""
      let isHidden = observation["hidden"] == "yes"
      return LintFinding(
        rule.id, severity: isHidden ? .error : .warning, page: page,
        "\(phone) lacks \(api)\(since). \(isHidden ? "The page has failed" : "The page uses it")\(place).")
    case "phoneDiffers":
      guard let difference = observation["what"].flatMap(Difference.init(rawValue:)) else { return nil }
      return LintFinding(rule.id, severity: .warning, page: page, "\(phone) \(difference.outcome)\(place).")
    default:
      return nil
    }
  }
}
