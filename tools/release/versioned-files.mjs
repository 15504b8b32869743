// The files that name the version of a service, as they are after its release: package and lock file, changelog, image, chart and the
// document of its methods. libs/bundle/src/release-check.ts checks that they agree.

const CHART = 'docker/charts/tetrad/Chart.yaml';
const UNRELEASED = /^## Unreleased$/m;
const CHART_VERSION = /^version: (\d+)\.(\d+)\.(\d+)$/m;

/**
 * @param {{ service: string, version: string, date: string, read: (path: string) => string | null, bumpsChart: boolean }} release
 * @returns {{ path: string, content: string }[]} with paths from the root of the repository
 * @throws {Error} naming the file that does not have what is replaced
 */
export function versionedFiles({ service, version, date, read, bumpsChart }) {
  const app = `apps/${service}`;
  const edit = (path, ...edits) => {
    const text = read(path);
    if (text === null) throw new Error(`${path} does not exist`);
    return { path, content: edits.reduce((edited, change) => change(edited, path), text) };
  };
  const document = `docs/reference/openrpc/${service}.json`;
  return [
    edit(`${app}/package.json`, (text) => withVersion(text, version)),
    edit('package-lock.json', (text) => withLockedVersion(text, app, version)),
    edit(`${app}/CHANGELOG.md`, replacing(UNRELEASED, `## ${version} - ${date}`)),
    edit(`docker/${service}/Dockerfile`, replacing(/(image\.version=")[^"]*(")/, `$1${version}$2`)),
    edit(
      CHART,
      replacing(new RegExp(`^(  tetrad/${service}: ).*$`, 'm'), `$1${version}`),
      ...(service === 'node' ? [replacing(/^appVersion: .*$/m, `appVersion: ${version}`)] : []),
      ...(bumpsChart ? [withNextPatch] : []),
    ),
    ...(read(document) === null
      ? []
      : [edit(document, replacing(/("version": ")[^"]*(")/, `$1${version}$2`))]),
  ];
}

function replacing(pattern, replacement) {
  return (text, path) => {
    if (!pattern.test(text)) throw new Error(`${path} has nothing that matches ${pattern}`);
    return text.replace(pattern, replacement);
  };
}

/** The version of the chart itself: it is another one whenever its images are. */
function withNextPatch(text, path) {
  const [, major, minor, patch] = CHART_VERSION.exec(text) ?? [];
  if (patch === undefined) throw new Error(`${path} has no version`);
  return text.replace(CHART_VERSION, `version: ${major}.${minor}.${Number(patch) + 1}`);
}

function withVersion(text, version) {
  return `${JSON.stringify({ ...JSON.parse(text), version }, null, 2)}\n`;
}

/** npm would write the lock file anew, for the platform of this host alone (CONTRIBUTING.md, "Dependencies"). */
function withLockedVersion(text, folder, version) {
  const lock = JSON.parse(text);
  if (lock.packages?.[folder] === undefined) throw new Error(`package-lock.json does not have ${folder}`);
  lock.packages[folder].version = version;
  return `${JSON.stringify(lock, null, 2)}\n`;
}
