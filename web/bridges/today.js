// The Today WebView. Its channel is in `webkit.messageHandlers`; this is what the native app adds to the page.

installs.push(() => {
  if (isTopFrame) assign(window, { __todayWebView: { platform: configuration.platform } });
});
