package import Sessions

/// The linter's rules for the Today WebView. The sections are those of the published contract.
package enum TodayLintRules {
  package static let all = [
    LintRule(
      "L19", .error, "The name of the message handler is misspelled",
      contract: "The page finds its host by the handler's exact name, upper and lower case included.",
      section: "Register the channel",
      advice: "Use window.webkit.messageHandlers.todayWebViewBridge."),
    LintRule(
      "L20", .warning, "A message has an unknown type",
      contract: "The host decides by the member type alone, and answers a type that it does not know with undefined.",
      section: "Handle messages",
      advice: "Post an object whose member type is the string track, headers, refreshToken or establishSession."),
    LintRule(
      "L21", .warning, "A parameter of an event is not a scalar",
      contract: "The host keeps strings, numbers and booleans, and drops parameters that are arrays, objects or null.",
      section: "Contract notes, track enrichment",
      advice: "Send each value as a parameter of its own."),
    LintRule(
      "L22", .error, "A bearer token goes where it does not belong",
      contract: "The token is only for requests to the trusted surfaces of the site, in the Authorization header.",
      section: "Contract notes, headers trust domain",
      advice:
        "Send the value of authorization only in that header, and only to the site; for other requests, call establishSession."
    ),
    LintRule(
      "L23", .warning, "Tokens are refreshed although no server has rejected them",
      contract:
        "refreshToken is for a response with the status 401; the host gets a new token each time, and only concurrent calls share one.",
      section: "Contract notes, refreshToken coalescing",
      advice: "Take the token from headers, and call refreshToken once after a response with the status 401."),
    LintRule(
      "L27", .error, "A tracked event has no name",
      contract: "The name of an event is the member ename, a string. Nothing can be counted of an event without one.",
      section: "Handle messages",
      advice: "Post { type: \"track\", ename: \"…\", parameters: {…} }."),
  ]
}
