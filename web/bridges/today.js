// The Today WebView. Its channel is one of `webkit.messageHandlers`; this is what the native app leaves beside it.

installs.push(() => {
  if (isTopFrame) assign(window, { __todayWebView: { platform: configuration.platform } });
});
