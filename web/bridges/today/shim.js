// The Today WebView: the native app's additions to the page. The channel itself is in `webkit.messageHandlers`.

import { assign } from "../../shim/builtins.js";
import { isTopFrame } from "../../shim/configuration.js";
import { installs } from "../../shim/webkit.js";

installs.push(() => {
  if (isTopFrame) assign(window, { __todayWebView: { platform: configuration.platform } });
});
