// Writes the licences of the packages that are part of the bundle beside it.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

const { inputs } = JSON.parse(readFileSync("out/meta.json", "utf8"));
const packages = new Set(Object.keys(inputs).map(path => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]).filter(Boolean));
const told = [...packages].sort().map(folder => {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const file = readdirSync(folder).find(entry => /^licen[sc]e/i.test(entry));
  if (!file) throw new Error(`${name} has no licence file`);
  return `${name} ${version} (${license})\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
});
writeFileSync("out/LICENCES.txt", told.join(`\n${"-".repeat(80)}\n\n`));
