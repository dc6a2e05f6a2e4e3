// The Today WebView: the native app's additions to the page. The channel itself is in `webkit.messageHandlers`.

installs.push(() => {
  if (isTopFrame) assign(window, { __todayWebView: { platform: configuration.platform } });
});
