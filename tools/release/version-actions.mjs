// How `nx release version` gives a service its version (nx.json, "release"). All files are changed in the tree of Nx, so that
// --dry-run prints every change and writes none.
import { createRequire } from 'node:module';
import { versionedFiles } from './versioned-files.mjs';

const { VersionActions } = createRequire(import.meta.url)('nx/release');

/** Trees in which the chart has its next version: one for all services of a release. */
const bumped = new WeakSet();

export default class ServiceVersionActions extends VersionActions {
  validManifestFilenames = ['package.json'];

  async readCurrentVersionFromSourceManifest(tree) {
    const manifestPath = `${this.projectGraphNode.data.root}/package.json`;
    return { currentVersion: JSON.parse(tree.read(manifestPath, 'utf-8')).version, manifestPath };
  }

  async readCurrentVersionFromRegistry() {
    throw new Error('services are in no registry of packages; the version is that of package.json');
  }

  /** A service depends on libraries only, which have no versions of their own. */
  async readCurrentVersionOfDependency() {
    return { currentVersion: null, dependencyCollection: null };
  }

  async updateProjectDependencies() {
    return [];
  }

  async updateProjectVersion(tree, version) {
    const files = versionedFiles({
      service: this.projectGraphNode.data.root.slice('apps/'.length),
      version,
      date: new Date().toISOString().slice(0, 'YYYY-MM-DD'.length),
      read: (path) => tree.read(path, 'utf-8'),
      bumpsChart: !bumped.has(tree),
    });
    bumped.add(tree);
    for (const { path, content } of files) tree.write(path, content);
    return [`✍️  Version ${version} in ${files.map(({ path }) => path).join(', ')}`];
  }
}
