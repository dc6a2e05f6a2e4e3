// A notification of the browser about what waits for the person, if they have allowed it and look at something else.

import { button } from "./elements.js";

/** A button that asks for the permission; null if there is nothing to ask. */
export function noticeButton() {
  if (!("Notification" in globalThis) || Notification.permission !== "default") return null;
  const element = button("Notify me", async () => {
    await Notification.requestPermission();
    element.hidden = true;
  }, { class: "quiet", title: "Show a notification of the browser when something waits and you look at something else" });
  return element;
}

/**
 * @param {string} session - its name
 * @param {string} text - what waits
 */
export function notify(session, text) {
  if (!("Notification" in globalThis) || Notification.permission !== "granted" || !document.hidden) return;
  const notice = new Notification(session, { body: text, tag: "footbridge" });
  notice.onclick = () => {
    window.focus();
    notice.close();
  };
}
