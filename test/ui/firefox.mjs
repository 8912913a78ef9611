// Debian's Firefox instead of Chromium, by WebDriver BiDi.
import { createRequire } from "node:module";

const load = createRequire(new URL("../../ui/package.json", import.meta.url));

/**
 * The driver tells every window which colours it prefers, with a command that
 * Firefox does not know yet, and gives up when that is refused. It is answered
 * here, and never sent: windows are light, and what is dark is Chromium's.
 * And it says in inches how large paper is, where the protocol has centimetres.
 */
function answerForFirefox() {
  const { ws } = load("playwright-core/lib/utilsBundle");
  const { send } = ws.prototype;
  ws.prototype.send = function (data, ...rest) {
    if (String(data).includes('"browsingContext.print"')) return send.call(this, inCentimetres(data), ...rest);
    if (!String(data).includes('"emulation.setMediaFeaturesOverride"')) return send.call(this, data, ...rest);
    const answer = JSON.stringify({ type: "success", id: JSON.parse(data).id, result: {} });
    queueMicrotask(() => this.emit("message", Buffer.from(answer), false));
  };
}

function inCentimetres(data) {
  const command = JSON.parse(data);
  for (const sizes of [command.params.page, command.params.margin]) for (const side of Object.keys(sizes)) sizes[side] *= 2.54;
  return JSON.stringify(command);
}

export async function launchFirefox() {
  answerForFirefox();
  const { firefox } = load("playwright-core");
  return firefox.launch({
    channel: "moz-firefox",
    executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    firefoxUserPrefs: { "ui.prefersReducedMotion": 1, "ui.systemUsesDarkTheme": 0 },
  });
}

/**
 * The driver writes into a field behind the back of the page, which then knows
 * nothing of it. The browser's own way is as if it were typed or pasted.
 */
export const insertAsTyped = (context) =>
  context.addInitScript(() =>
    Object.defineProperty(window, "__pw_bidiInsertText", {
      get: () => (text) => void document.execCommand("insertText", false, text),
      set() {},
    }),
  );
