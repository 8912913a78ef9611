/** What the server allows styles by that are written into the page. */
export const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
