// Adds what an image has beside its service to the bill of materials: the packages of Debian, and Node.js.
//
//   node debian-packages.mjs /var/lib/dpkg/status SBOM
//
// The image runs it while it is built, so it imports Node's own modules only. Source: dpkg-query(1), deb-control(5);
// purl-spec, type deb.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const [statusFile, sbomFile] = process.argv.slice(2);

/** The installed packages, one block of `Name: value` lines each. */
function readPackages(text) {
  const blocks = text.split('\n\n').map((block) => {
    const lines = block.split('\n');
    const valueOf = (name) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    const [name, version, architecture] = ['Package', 'Version', 'Architecture'].map(valueOf);
    return { name, version, architecture, status: valueOf('Status') };
  });
  return blocks.filter(({ name, version, status }) => name && version && status === 'install ok installed');
}

function componentOf({ name, version, architecture }) {
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`;
  return { type: 'library', 'bom-ref': purl, name, version, purl };
}

const node = process.versions.node;
const nodeRef = `pkg:generic/node@${node}`;
const nodeComponent = { type: 'application', 'bom-ref': nodeRef, name: 'node', version: node, purl: nodeRef };

const packages = existsSync(statusFile) ? readPackages(readFileSync(statusFile, 'utf8')) : [];
if (packages.length === 0) process.stderr.write(`${statusFile}: lists no packages of Debian\n`);
const sbom = JSON.parse(readFileSync(sbomFile, 'utf8'));
const further = [...packages.map(componentOf), nodeComponent];
const known = new Set(sbom.components.map((component) => component['bom-ref']));
sbom.components.push(...further.filter((component) => !known.has(component['bom-ref'])));
writeFileSync(sbomFile, `${JSON.stringify(sbom, undefined, 2)}\n`);
