import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Prose } from "./Prose";

test("what people wrote has links and lists, and no HTML of theirs", () => {
  const html = renderToStaticMarkup(<Prose text={"Look at https://a.example.org\n\n- <img src=x>\n- `top`"} />);
  expect(html).toContain(
    '<a href="https://a.example.org" target="_blank" rel="noopener noreferrer">https://a.example.org</a>',
  );
  expect(html).toContain("<li>&lt;img src=x&gt;</li>");
  expect(renderToStaticMarkup(<Prose text="[Workers](/spaces/4)" />)).toContain('<a href="/spaces/4">Workers</a>');
  expect(html).toContain('<code class="mono">top</code>');
});
