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
      advice: "Use track, headers, refreshToken or establishSession, as a text in the member type of an object."),
    LintRule(
      "L21", .warning, "A parameter of an event is no scalar",
      contract: "The host keeps texts, numbers and booleans, and drops parameters that are arrays, objects or null.",
      section: "Contract notes, track enrichment",
      advice: "Put the values into parameters of their own."),
    LintRule(
      "L22", .error, "A bearer token goes where it does not belong",
      contract: "The token is only for requests to the trusted surfaces of the site, in the field Authorization.",
      section: "Contract notes, headers trust domain",
      advice:
        "Send the value of authorization only as that field, and only to the site; for the rest, call establishSession."
    ),
    LintRule(
      "L23", .warning, "Tokens are refreshed although nobody has refused them",
      contract: "refreshToken is for an answer of 401; each call makes the host get a new token.",
      section: "Contract notes, refreshToken coalescing",
      advice: "Take the token from headers, and call refreshToken once after an answer of 401."),
  ]
}
