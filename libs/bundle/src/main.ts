import { layOutArchive } from './archive-tree.js';
import { bundlePage } from './bundle-page.js';
import { bundleApp } from './bundle-app.js';
import { layOutClientPackage } from './client-package.js';
import { layOutHardhatPackage } from './hardhat-package.js';
import { writeDockerfiles } from './dockerfile.js';
import { layOutImage, layOutImages } from './image-tree.js';
import { releaseFaults } from './release-check.js';
import { PROGRAMS, SERVICES, parseApp, parseService, type Service } from './services.js';

const USAGE = `Usage: node libs/bundle/dist/main.js COMMAND

  bundle [APP]             bundles one service or program, or all, into apps/APP/bundle
  page                     bundles the page of the console into apps/console/page/dist
  image SERVICE FOLDER     lays out what the image of the service holds, in an empty folder
  images FOLDER            lays out the images of all services, in an empty folder
  archive FOLDER           lays out a release for this platform, in an empty folder, and says its name
  client FOLDER            lays out the npm package of the TypeScript client; what is in the folder is removed
  hardhat FOLDER           lays out the npm package of the plugin of Hardhat; what is in the folder is removed
  dockerfiles              writes docker/SERVICE/Dockerfile of every service
  release-check [SERVICE]  whether changelog, lock file, image, chart and documents of one service, or of all, are those of a release
`;

async function run([command, service, folder]: readonly string[]): Promise<number> {
  if (command === 'bundle') {
    const apps = service === undefined ? [...SERVICES, ...PROGRAMS] : [parseApp(service)];
    await Promise.all(apps.map(bundleApp));
    return 0;
  }
  if (command === 'page') {
    await bundlePage();
    return 0;
  }
  if (command === 'image' && folder !== undefined) {
    await layOutImage(parseService(service), folder);
    return 0;
  }
  if (command === 'images' && service !== undefined) {
    await layOutImages(service);
    return 0;
  }
  if (command === 'archive' && service !== undefined) {
    process.stdout.write(`${await layOutArchive(service)}\n`);
    return 0;
  }
  if (command === 'client' && service !== undefined) {
    await layOutClientPackage(service);
    return 0;
  }
  if (command === 'hardhat' && service !== undefined) {
    await layOutHardhatPackage(service);
    return 0;
  }
  if (command === 'dockerfiles') {
    await writeDockerfiles();
    return 0;
  }
  if (command === 'release-check') {
    const faults = (await Promise.all(named(service).map(releaseFaults))).flat();
    for (const fault of faults) process.stderr.write(`${fault}\n`);
    return faults.length === 0 ? 0 : 1;
  }
  process.stderr.write(USAGE);
  return 2;
}

function named(service: string | undefined): readonly Service[] {
  return service === undefined ? SERVICES : [parseService(service)];
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`bundle: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
