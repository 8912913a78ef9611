/** Draws a chart as it is on screen onto one picture, with its title and its legend. */
export async function picture(card: HTMLElement, title: string): Promise<Blob> {
  const canvas = card.querySelector<HTMLCanvasElement>(".u-wrap canvas");
  if (!canvas) throw new Error("There is nothing to draw.");
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const ratio = canvas.width / canvas.clientWidth;
  const [head, foot, pad] = [34, 34, 12];
  const out = document.createElement("canvas");
  out.width = (canvas.clientWidth + 2 * pad) * ratio;
  out.height = (canvas.clientHeight + head + foot) * ratio;
  const ctx = out.getContext("2d");
  if (!ctx) throw new Error("This browser cannot draw.");
  ctx.scale(ratio, ratio);
  ctx.fillStyle = color("--tm-panel");
  ctx.fillRect(0, 0, out.width, out.height);
  ctx.fillStyle = color("--tm-t1");
  ctx.font = '600 13px "Inter Variable", Inter, sans-serif';
  ctx.fillText(title, pad, 22);
  ctx.drawImage(canvas, pad, head, canvas.clientWidth, canvas.clientHeight);
  legend(ctx, card, pad, canvas.clientHeight + head + 20, color);
  return new Promise((resolve, reject) =>
    out.toBlob((b) => (b ? resolve(b) : reject(new Error("This browser cannot draw."))), "image/png"),
  );
}

function legend(
  ctx: CanvasRenderingContext2D,
  card: HTMLElement,
  left: number,
  y: number,
  color: (name: string) => string,
): void {
  let x = left;
  ctx.font = '12px "Inter Variable", Inter, sans-serif';
  for (const item of card.querySelectorAll<HTMLElement>("[data-legend]")) {
    ctx.fillStyle = item.querySelector<HTMLElement>("[data-swatch]")?.style.background ?? color("--tm-t3");
    ctx.fillRect(x, y - 6, 11, 3);
    ctx.fillStyle = color("--tm-t1");
    const text = (item.textContent ?? "").replace(/\s+/g, " ");
    ctx.fillText(text, x + 16, y);
    x += ctx.measureText(text).width + 34;
  }
}

/** Puts a picture on the clipboard, or gives it as a file where that is not allowed. */
export async function copyPicture(
  blob: Blob,
  name: string,
  save: (name: string, blob: Blob) => void,
): Promise<"copied" | "saved"> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
    return "copied";
  } catch {
    save(name, blob);
    return "saved";
  }
}
