// Takes the shim's observations. An error here never reaches the page.

/** @type {(...observation: [kind: string, ...details: any[]]) => void} */
const take = (kind, ...details) => {
  try {
    seeing[kind]?.(...details);
    afterwards();
  } catch {
    // The page has replaced something that this script needs.
  }
};

const shim = /** @type {any} */ (document)[Symbol.for("footbridge")];
const earlier = shim?.watch(take) ?? [];
send = ({ names, ...data }) => {
  // Without prototypes, no `toJSON` of the page runs.
  const list = names && Object.setPrototypeOf([...names], null);
  shim?.tell("lint", { __proto__: null, ...data, names: list });
};
for (const [kind, ...details] of earlier) take(kind, ...details);
