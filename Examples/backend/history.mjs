// Asks the Merchant API for the purchases of ORDER_ID, and checks the signature. docs/merchant-api.md explains the variables.

import { createHmac, createPublicKey, randomUUID, verify } from "node:crypto";

const { ONSIDE, MERCHANT_ID, MERCHANT_SECRET, MERCHANT_KEY_ID, ORDER_ID } = process.env;
const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const decode = (text) => JSON.parse(Buffer.from(text, "base64url"));

function token() {
  const now = Math.floor(Date.now() / 1000);
  const header = { alg: "HS256", typ: "JWT", kid: MERCHANT_KEY_ID };
  const claims = { iss: "onside", aud: "onside", sub: MERCHANT_ID, nbf: now - 1, exp: now + 20, jti: randomUUID() };
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${createHmac("sha256", MERCHANT_SECRET).update(input).digest("base64url")}`;
}

async function verified(signed) {
  const [header, payload, signature] = signed.split(".");
  const { alg, kid } = decode(header);
  const { keys } = await (await fetch(`${ONSIDE}/.well-known/jwks.json`)).json();
  const key = keys.find((each) => each.kid === kid);
  if (alg !== "ES256" || !key) throw new Error("The answer has an unknown key.");
  const publicKey = { key: createPublicKey({ key, format: "jwk" }), dsaEncoding: "ieee-p1363" };
  if (!verify("sha256", Buffer.from(`${header}.${payload}`), publicKey, Buffer.from(signature, "base64url"))) {
    throw new Error("The signature is wrong.");
  }
  return decode(payload).transactions;
}

const response = await fetch(`${ONSIDE}/merchant-api/v1/purchases/in-app/history/${ORDER_ID}`, {
  headers: { Authorization: `Bearer ${token()}` },
});
if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
console.log(JSON.stringify(await verified(await response.text())));
