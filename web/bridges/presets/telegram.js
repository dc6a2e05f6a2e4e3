// Telegram Mini Apps: events both ways. A reply `{type, data}` is an event for the page.

presets.telegram = (native) => {
  native.object("TelegramWebviewProxy", {
    /** @type {(type: string, json?: string) => void} */
    postEvent(type, json) {
      native.send(`${type}`, json ? parse(`${json}`) : null).then(
        (answer) => answer?.type && native.call("Telegram.WebView.receiveEvent", answer.type, answer.data), reportUncaught);
    },
  });
  native.onCall((path, list) => path.length === 1
    ? native.call("Telegram.WebView.receiveEvent", path[0], list[0]) : callPath(path, list));
};
