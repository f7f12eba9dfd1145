// The licences of the packages whose code is inside the bundles: a text that ships beside them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** `node_modules/a/x.js` → `node_modules/a`, `node_modules/@s/a/x.js` → `node_modules/@s/a`; nested ones, too. */
function packageFolder(input) {
  const at = input.lastIndexOf("node_modules/");
  if (at < 0) return undefined;
  const [first, second] = input.slice(at + "node_modules/".length).split("/");
  return join(input.slice(0, at), "node_modules", first.startsWith("@") ? `${first}/${second}` : first);
}

function licenceText(folder) {
  const name = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)([-.].*)?$/i.test(entry));
  return name && existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8").trim() : undefined;
}

/**
 * @param metafiles esbuild's metafiles
 * @returns one text with every bundled package, its licence and the licence's text
 */
export function thirdPartyNotices(metafiles) {
  const folders = new Set();
  for (const { outputs } of metafiles) {
    for (const { inputs } of Object.values(outputs)) {
      for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = bytesInOutput > 0 ? packageFolder(input) : undefined;
        if (folder) folders.add(folder);
      }
    }
  }
  const sections = [...folders]
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) }))
    .sort((a, b) => (a.manifest.name < b.manifest.name ? -1 : 1))
    .map(({ folder, manifest }) => {
      const licence = typeof manifest.license === "string" ? manifest.license : (manifest.license?.type ?? "see below");
      return `${manifest.name} ${manifest.version} (${licence})\n\n${licenceText(folder) ?? "The package names its licence and carries no text of it."}`;
    });
  const rule = `\n\n${"-".repeat(78)}\n\n`;
  return `The bundles in this folder contain code of these packages.${rule}${sections.join(rule)}\n`;
}
