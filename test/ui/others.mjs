// Programs that the server talks to, played by the journeys: a sign-in service
// and a mail server.
import { createHash, createSign, generateKeyPairSync } from "node:crypto";
import { createServer as createHTTP } from "node:http";
import { createServer as createTCP } from "node:net";

const listen = (server) => new Promise((r) => server.listen(0, "127.0.0.1", () => r(server.address().port)));

/** An OpenID Connect issuer that vouches, without asking, for whoever person says. */
export async function startIssuer(person) {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const encode = (v) => Buffer.from(typeof v === "string" ? v : JSON.stringify(v)).toString("base64url");
  let asked = new URLSearchParams();
  let base = "";
  const idToken = () => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: base, aud: "tidemark", sub: "42", iat: now, exp: now + 300, nonce: asked.get("nonce"), email_verified: true, ...person() };
    const text = `${encode({ alg: "RS256", kid: "1" })}.${encode(claims)}`;
    return `${text}.${createSign("RSA-SHA256").update(text).sign(privateKey).toString("base64url")}`;
  };
  const routes = {
    "/.well-known/openid-configuration": () => ({
      issuer: base,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      jwks_uri: `${base}/keys`,
      id_token_signing_alg_values_supported: ["RS256"],
    }),
    "/keys": () => ({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }] }),
    "/token": (body) => {
      const proof = createHash("sha256").update(body.get("code_verifier") ?? "").digest("base64url");
      if (body.get("code") !== "good" || proof !== asked.get("code_challenge")) throw new Error("invalid_grant");
      return { access_token: "x", token_type: "Bearer", id_token: idToken() };
    },
  };
  const server = createHTTP((req, res) => {
    const url = new URL(req.url, base);
    if (url.pathname === "/authorize") {
      asked = url.searchParams;
      res.writeHead(302, { Location: `${asked.get("redirect_uri")}?code=good&state=${asked.get("state")}` }).end();
      return;
    }
    let body = "";
    req.on("data", (d) => (body += d));
    req.on("end", () => {
      try {
        const answer = JSON.stringify(routes[url.pathname](new URLSearchParams(body)));
        res.writeHead(200, { "Content-Type": "application/json" }).end(answer);
      } catch (err) {
        res.writeHead(400, { "Content-Type": "application/json" }).end(JSON.stringify({ error: err.message }));
      }
    });
  });
  base = `http://127.0.0.1:${await listen(server)}`;
  return { base, stop: () => server.close() };
}

/** Somebody who is notified: keeps each body it is given, and answers the same to all. */
export async function listenTo(received, status = 200, text = "thanks", heads = []) {
  const server = createHTTP((req, res) => {
    let body = "";
    req.on("data", (d) => (body += d));
    req.on("end", () => {
      received.push(body);
      heads.push(req.headers);
      res.writeHead(status, { "Content-Type": "text/plain" }).end(text);
    });
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

/** A mail server that keeps what it is given. */
export async function startMail() {
  const mails = [];
  const server = createTCP((socket) => {
    let [text, reading, mail] = ["", false, ""];
    const say = (line) => socket.write(`${line}\r\n`);
    say("220 mail.example.org ESMTP");
    socket.on("error", () => {});
    socket.on("data", (d) => {
      text += d;
      for (let end = text.indexOf("\r\n"); end >= 0; end = text.indexOf("\r\n")) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        if (reading) {
          if (line !== ".") {
            mail += `${line}\n`;
            continue;
          }
          mails.push(mail.replace(/=\n/g, "").replace(/=3D/g, "="));
          [reading, mail] = [false, ""];
          say("250 kept");
        } else if (/^DATA/i.test(line)) {
          reading = true;
          say("354 go on");
        } else if (/^QUIT/i.test(line)) {
          say("221 bye");
          socket.end();
        } else say("250 mail.example.org");
      }
    });
  });
  const port = await listen(server);
  return { port, mails, stop: () => server.close() };
}
