/// What the native app does with a page that wants a window: `window.open`, or a link or form whose target is a new window.
enum DeclaredWindows: String, CaseIterable, Sendable {
  /// Nothing, as `WKWebView` without a `WKUIDelegate`.
  case none
  /// It loads the address into the same web view.
  case same
  /// It opens the address in another app.
  case outside
  /// It has tabs, or a second web view.
  case tab
}
